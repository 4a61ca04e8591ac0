// Two pools against each other: successes of seven dice less successes of five.
(count >7 7#d10) - (count >7 5#d10)
