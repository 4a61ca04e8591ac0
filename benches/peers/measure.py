"""What the measured programs of the peers share: evaluate one rule, say how long it took, print the answer."""

import sys
import time


def timed(rule):
    """The answer of a rule, and how many milliseconds it took: of the wall if they are few, otherwise of the processor."""
    start, busy = time.perf_counter(), time.process_time()
    answer = rule()
    wall, busy = time.perf_counter() - start, time.process_time() - busy
    # The clock of the processor may be too coarse for short times.
    return answer, 1000 * (wall if wall < 0.05 else min(wall, busy))


def main(rules, items, denominator):
    """Evaluates the rule named by the first argument, and prints how long that took.

    With a number as second argument, prints the probability of at least that, as the measured command of dicedist
    does; with `all`, prints each value with its weight, and their total first.
    """
    name, wanted = sys.argv[1:]
    answer, took = timed(rules[name])
    print(f"time: {took:.3f} ms")
    # The weights may have more digits than Python prints unasked.
    sys.set_int_max_str_digits(0)
    if wanted == "all":
        print(denominator(answer))
        for value, weight in items(answer):
            print(int(value), weight)
    else:
        reached = sum(weight for value, weight in items(answer) if value >= int(wanted))
        print(f"{reached}/{denominator(answer)}")
