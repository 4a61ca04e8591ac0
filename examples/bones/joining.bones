// Lists one after the other.
1,2;
4,(3#d6)
