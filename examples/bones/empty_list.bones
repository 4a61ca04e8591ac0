// No dice at all: the empty list.
( )
