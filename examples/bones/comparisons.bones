// The dice that show three or more.
>= 3 5#d6
