// Digits side by side: -109, and the two-digit tables that are rolled with two dice.
-10.9;
d6.d6
