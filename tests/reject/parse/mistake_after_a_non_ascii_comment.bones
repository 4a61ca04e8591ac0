// Würfel für Götter
sum(3#d6) 4
