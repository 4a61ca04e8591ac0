// Lists in another order; seen with --ordered.
sort(10#d6);
rev(1..10);
rev sort(10#d8)
