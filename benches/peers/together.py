"""Times one rule in several libraries for Python in one process, each with its own words, one after the other.

    python3 together.py RULE RUNS SECONDS LIBRARY...

All libraries are imported first, and each answers another rule, so that its code is in memory. Each run is a fork of this
process: so a rule is new to each library in each run, and nothing is imported while the clock runs. The order of the
libraries changes from run to run. A library that is stopped after so many seconds of processor time, or that needs more
memory than there may be, is left out of the later runs.

Prints a line for each library and run: its name, and the milliseconds or why there are none.
"""

import importlib
import os
import signal
import sys

from measure import timed


class TooLong(Exception):
    """The seconds are over."""


def stop(*_):
    """What the alarm does."""
    raise TooLong


def once(names, rule, seconds):
    """A line for each library. In a process that ends afterwards."""
    signal.signal(signal.SIGPROF, stop)
    for name in names:
        try:
            signal.setitimer(signal.ITIMER_PROF, seconds)
            _, took = timed(LIBRARIES[name].RULES[rule])
            found = f"{took:.3f}"
        except TooLong:
            found = f"> {seconds:g} s"
        except MemoryError:
            found = "out of memory"
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        yield name, found


def forked(names, rule, seconds):
    """The lines of a run in a fork, by library."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        with os.fdopen(writer, "w") as out:
            for name, found in once(names, rule, seconds):
                print(name, found, file=out, flush=True)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as lines:
        found = dict(line.rstrip("\n").split(" ", 1) for line in lines)
    os.waitpid(child, 0)
    return {name: found.get(name, "fails") for name in names}


def main():
    """All runs."""
    rule, runs, seconds, *names = sys.argv[1:]
    for name in names:
        LIBRARIES[name] = importlib.import_module(f"{name}_rules")
        LIBRARIES[name].RULES[next(other for other in FIRST if other != rule)]()
    for run in range(int(runs)):
        order = names[run % len(names) :] + names[: run % len(names)] if names else []
        for name, found in forked(order, rule, float(seconds)).items():
            print(name, found, flush=True)
            if not found[0].isdigit():
                names.remove(name)


LIBRARIES = {}

# What each library answers before the clock runs: the first of these that is another rule.
FIRST = ["abilities", "high5"]

if __name__ == "__main__":
    main()
