"""Times one rule once in several libraries for Python in one process, one after the other.

    python3 together.py RULE SECONDS LIBRARY...

All libraries are imported first, and each answers a few other rules several times, as in a process that goes on: so its code is
in memory and ready, but the rule is new to it. A library is stopped after so many seconds of processor time.

Prints a line for each library: its name, and the milliseconds or why there are none.
"""

import importlib
import signal
import sys

from measure import timed

# What each library answers before the clock runs, unless it is the rule: a few rules, and often.
OTHERS = 20 * ["abilities", "high5", "botch", "risk", "set7"]


class TooLong(Exception):
    """The seconds are over."""


def stop(*_):
    """What the alarm does."""
    raise TooLong


def once(rules, rule, seconds):
    """The milliseconds that a library takes, or why there are none."""
    for other in OTHERS:
        if other != rule:
            rules[other]()
    try:
        signal.setitimer(signal.ITIMER_PROF, seconds)
        _, took = timed(rules[rule])
        return f"{took:.3f}"
    except TooLong:
        return f"> {seconds:g} s"
    except MemoryError:
        return "out of memory"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def main():
    """All libraries."""
    rule, seconds, *names = sys.argv[1:]
    libraries = {name: importlib.import_module(f"{name}_rules") for name in names}
    signal.signal(signal.SIGPROF, stop)
    for name, library in libraries.items():
        print(name, once(library.RULES, rule, float(seconds)), flush=True)


if __name__ == "__main__":
    main()
