#!/usr/bin/env python3
"""Times dicedist and its package for Python beside icepool, dyce and dicelab on the same rules, and compares the answers.

    cargo build --release
    python3 benches/peers/run.py

installs icepool and dyce from PyPI, and the package in `python/`, into a virtual environment (`target/peers`; icepool
2.2 wants Python 3.12 or newer, `--python` says which one), and prints two Markdown tables. dicelab is a program in C that some systems package
(Debian and Ubuntu: `apt-get install dicelab`); it is measured if it is on the search path and left out if not.

What is measured:

- *In process*: from the rule to its finished distribution, in a process that has answered a few other rules, for a rule that
  is new to it (processor time from 50 ms on). `crate` is the crate, which reads the rule as a text
  (`benches/in_process.rs`). The package, icepool and dyce are measured in one and the same process, one after the other
  (`together.py`): icepool and dyce have each rule in their own words, and the package has it twice, as the text (`text`) and
  as an expression (`python`). The factors in this table are over the crate. `command` is the `time:` line of `--explain`, in a
  fresh process that has its code still to fetch, from the rule as it was read. dicelab does not say.
- *Whole process*: the processor time of a process that answers one question: the start, the answer and one line of
  output (dicelab always prints all outcomes).

Processor time is what the clock on the wall shows on an idle machine, and other work disturbs it less. dicedist's
`time:` is the wall's; on a busy machine it errs to the disadvantage of dicedist.

A cell shows the quickest run and, in brackets, the median, in milliseconds; the factor beside a peer is its quickest
run over dicedist's. A peer that is stopped after `--limit` seconds of processor
time (or needs more than 8 GB) is shown as such. Each answer is compared with dicedist's outcome by outcome: exactly
for those three, to the six digits it prints for dicelab. The script ends with status 1 if any differs.
"""

import argparse
import csv
import io
import json
import math
import platform
import re
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from together import OTHERS

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
REQUIREMENTS = ["icepool==2.2.0", "dyce==0.7.0"]
PEERS = ["text", "python", "icepool", "dyce", "dicelab"]
OURS = {"text", "python"}
MEMORY = 8_000_000_000
# The seconds of processor time in which libraries answer other rules first.
WARMING = 60

# Name, Bones, the bound of the one probability asked for, and dicelab's spelling where it is not the same.
RULES = [
    ("abilities", "sum(drop low 1 4#d6)", 15, None),
    (
        "risk",
        "let a=3#d6 in let b=2#d6 in count((<(high 1 a) high 1 b), (<(high 1 low 2 a) low 1 b))",
        1,
        None,
    ),
    ("sum100", "sum(100#d6)", 360, None),
    ("sum1000", "sum(1000#d6)", 3600, None),
    ("sum10000", "sum(10000#d6)", 35100, None),
    ("mixed", "sum(10#d4,10#d6,10#d8,10#d10,10#d12,10#d20)", 350, None),
    ("high5", "sum(high 5 20#d10)", 48, None),
    ("high50", "sum(high 50 100#d20)", 780, None),
    ("high500", "sum(high 500 1000#d20)", 7750, None),
    ("middle", "sum(drop low 5 (drop high 5 20#d10))", 60, None),
    ("median", "high 1 low 51 101#d20", 11, None),
    ("mixed_middle", "sum(drop low 2 (drop high 2 (3#d6,3#d8,3#d10,3#d12)))", 40, None),
    ("best_six", "sum(high 6 12#sum(drop low 1 4#d6))", 85, None),
    ("count1000", "count >7 1000#d10", 310, None),
    ("botch", "let c=50#d10 in (count >7 c)-(count ==1 c)", 10, None),
    ("set7", "let x=7#d10 in high 1 (foreach y in 1..10 do sum (==y x))", 16, None),
    ("set20", "let x=20#d10 in high 1 (foreach y in 1..10 do sum (==y x))", 30, None),
    ("set40", "let x=40#d20 in high 1 (foreach y in 1..20 do sum (==y x))", 80, None),
    ("largest100", "let x=100#d20 in high 1 (foreach y in 1..20 do count (==y x))", 11, None),
    (
        "straight",
        "let x=10#d10 in high 1 (foreach i in 1..10 do foreach j in i..10 do "
        "if ==(j-i+1) count (foreach k in i..j do first 1 ==k x) then j-i+1 else 0)",
        5,
        "let x=10#d10 in high 1 (foreach i in 1..10 do (foreach j in i..10 do "
        "(if (==(j-i+1) (count (foreach k in i..j do (first 1 (==k x))))) then (j-i+1) else 0)))",
    ),
    (
        "ranks",
        "let a=10#d6 in let b=10#d6 in count(foreach i in 1..10 do (<(high 1 low i b) (high 1 low i a)))",
        5,
        None,
    ),
    ("prod20", "prod(20#d6)", 1_000_000_000, None),
    ("rolled_size", "high 1 (d100#d20)", 19, None),
    ("chain", "sum((count <5 (count >3 (count >2 40#d6)#d6)#d6)#d3)", 20, None),
]


class Stopped(Exception):
    """A program that gave no answer, with the reason."""


def limited(limit):
    """Runs in the child: a rule that is too large fails instead of taking the machine with it."""

    def set_limits():
        seconds = math.ceil(limit)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))

    return set_limits


def processor_time():
    """The milliseconds that all finished children have taken."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (usage.ru_utime + usage.ru_stime)


def run(command, limit):
    """A finished command with what it printed, and how many milliseconds it took."""
    before = processor_time()
    done = subprocess.run(command, capture_output=True, text=True, preexec_fn=limited(limit))
    took = processor_time() - before
    if -done.returncode in (signal.SIGXCPU, signal.SIGKILL):
        raise Stopped(f"> {limit:g} s")
    if done.returncode != 0:
        raise Stopped("out of memory" if "MemoryError" in done.stderr else "fails")
    return done, took


def own_time(done):
    """The milliseconds that a program says it took."""
    return float(re.search(r"^time: ([0-9.]+) ms$", done.stdout + done.stderr, re.MULTILINE).group(1))


class Figures:
    """Times of one cell: own (in process) and whole, each a list of milliseconds, or why there are none."""

    def __init__(self, stopped=None):
        self.own, self.whole, self.stopped = [], [], stopped


def repeat(once, runs, limit):
    """Calls `once` until it has run often enough, or has taken `limit` seconds in all."""
    figures = Figures()
    spent = 0
    for _ in range(runs):
        own, whole = once()
        if own is not None:
            figures.own.append(own)
        figures.whole.append(whole)
        spent += whole / 1000
        if spent > limit:
            break
    return figures


def build_crate():
    """Builds the bench of the crate, and gives its path."""
    build = ["cargo", "build", "--release", "--package", "dicedist-benches", "--bench", "in_process", "--message-format", "json"]
    done = subprocess.run(build, capture_output=True, text=True, check=True, cwd=ROOT)
    made = (json.loads(line).get("executable") for line in done.stdout.splitlines())
    return next(path for path in made if path and "in_process" in path)


class Dicedist:
    """The command of this package, and its crate."""

    name = "dicedist"

    def __init__(self, arguments):
        self.binary, self.arguments = arguments.binary, arguments
        self.crate = build_crate()

    def answer(self, rule):
        """The whole distribution: the row of each value."""
        command = [self.binary, rule[1], "--format", "csv", "--time-limit", "60"]
        # Hundreds of megabytes are written for ten thousand dice.
        done, _ = run(command, 120)
        return {int(row["value"]): row for row in csv.DictReader(io.StringIO(done.stdout))}

    def measure(self, rule):
        """As often as asked: the time it says itself, and that of a process without that."""
        plain = [self.binary, rule[1], "--at-least", str(rule[2]), "--time-limit", "60"]

        def once():
            done, _ = run([*plain, "--explain"], self.arguments.limit)
            _, whole = run(plain, self.arguments.limit)
            return own_time(done), whole

        # These runs are short, and their least is wanted beside other work.
        return repeat(once, 3 * self.arguments.runs, self.arguments.limit)

    def measure_crate(self, rule):
        """The times within a process that has answered the same rules as the libraries."""
        texts = {name: text for name, text, *_ in RULES}
        others = [texts[other] for other in OTHERS if other != rule[0]]

        def once():
            done, whole = run([self.crate, rule[1], *others], self.arguments.limit)
            return float(done.stdout.split()[0]), whole

        return repeat(once, 3 * self.arguments.runs, self.arguments.limit).own


class Python:
    """A library for Python, with its rules in `NAME_rules.py`."""

    def __init__(self, name, python, arguments):
        self.name, self.python, self.arguments = name, python, arguments

    def command(self, rule, wanted):
        """Evaluates one rule in a fresh interpreter."""
        return [self.python, str(HERE / f"{self.name}_rules.py"), rule[0], wanted]

    def answer(self, rule):
        """The whole distribution: its total, and the weight of each value."""
        done, _ = run(self.command(rule, "all"), self.arguments.limit)
        _, total, *rows = done.stdout.splitlines()
        weights = (map(int, row.split()) for row in rows)
        return int(total), {value: weight for value, weight in weights if weight}

    def agrees(self, found, expected):
        """Exactly: fractions are compared crosswise, since reducing long ones takes longer than finding them."""
        total, weights = found
        return weights.keys() == expected.keys() and all(
            weight * int(expected[value]["denominator"]) == total * int(expected[value]["numerator"])
            for value, weight in weights.items()
        )

    def measure(self, rule):
        """As often as asked, whole processes."""
        command = self.command(rule, str(rule[2]))
        return repeat(
            lambda: (None, run(command, self.arguments.limit)[1]), self.arguments.runs, self.arguments.limit
        )


def together(rule, peers, python, arguments):
    """The times of libraries in one process, by name: milliseconds, or why there are none."""
    names = [peer.name for peer in peers]
    found = {name: [] for name in names}
    for _ in range(arguments.runs):
        # The order changes from run to run, and a library that was stopped is left out of the later ones.
        names = [name for name in names[1:] + names[:1] if all(took[0].isdigit() for took in found[name])]
        command = [python, str(HERE / "together.py"), rule[0], str(arguments.limit), *names]
        # The libraries are stopped one by one before the process is.
        limit = limited(arguments.limit * (len(names) + 1) + WARMING)
        done = subprocess.run(command, capture_output=True, text=True, check=False, preexec_fn=limit)
        took = dict(line.split(" ", 1) for line in done.stdout.splitlines())
        for name in names:
            found[name].append(took.get(name, "fails"))
    return found


class Dicelab:
    """The program dicelab, which calculates with floats."""

    name = "dicelab"

    def __init__(self, binary, arguments):
        self.binary, self.arguments = binary, arguments

    def calculate(self, rule):
        """All outcomes, as it prints them, and the milliseconds it took."""
        with tempfile.NamedTemporaryFile("w", suffix=".dicelab") as file:
            file.write((rule[3] or rule[1]) + "\n")
            file.flush()
            return run([self.binary, "--calc", "--file", file.name], self.arguments.limit)

    def answer(self, rule):
        """The distribution to six digits."""
        done, _ = self.calculate(rule)
        return {int(value): float(chance) for value, chance in map(str.split, done.stdout.splitlines())}

    def agrees(self, found, expected):
        """To the digits printed; outcomes that are missing have to be improbable."""
        chances = {value: float(row["probability"]) for value, row in expected.items()}
        values = found.keys() | chances.keys()
        return all(abs(found.get(value, 0) - chances.get(value, 0)) < 2e-6 for value in values)

    def measure(self, rule):
        """As often as asked."""
        return repeat(
            lambda: (None, self.calculate(rule)[1]), self.arguments.runs, self.arguments.limit
        )


def environment(arguments):
    """The interpreter of the virtual environment, made if need be. The package is compiled as the command is."""
    python = arguments.venv / "bin" / "python"
    if not python.exists():
        newest = arguments.python or next(
            filter(None, map(shutil.which, ["python3.14", "python3.13", "python3.12"])), sys.executable
        )
        subprocess.run([newest, "-m", "venv", str(arguments.venv)], check=True)
    wanted = [requirement for requirement in REQUIREMENTS if requirement.split("=")[0] in arguments.peers]
    if OURS & set(arguments.peers):
        wanted.append(str(ROOT / "python"))
    if wanted:
        subprocess.run([python, "-m", "pip", "install", "--quiet", *wanted], check=True)
    return str(python)


def milliseconds(value):
    """Three digits, more where there are more before the point."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def cell(times):
    """The quickest run and the median."""
    return f"{milliseconds(min(times))} ({milliseconds(statistics.median(times))})"


def beside(stopped, times, ours):
    """A peer's cell, with its factor over ours; or why it was stopped."""
    if stopped:
        return stopped
    if not times:
        return ""
    if times is ours or not ours:
        return cell(times)
    factor = min(times) / min(ours)
    return f"{cell(times)} ×{factor:,.0f}" if factor >= 10 else f"{cell(times)} ×{factor:.1f}"


def table(names, rows):
    """A Markdown table: in each row a rule and its cells."""
    print("| rule |", " | ".join(names), "|")
    print("|---" + "|---" * len(names) + "|")
    for rule, cells in rows:
        text = rule[1].replace("|", "\\|")
        print(f"| `{text}` |", " | ".join(cells), "|")
    print()


def own_cells(crate, found):
    """The cells of libraries in one process; the factors are over the crate."""
    times = {name: numbers(found, name) for name in found}
    stopped = {name: next((took for took in all if not took[0].isdigit()), None) for name, all in found.items()}
    return [
        cell(times[name]) if name in OURS and times[name] else beside(stopped[name], times[name], crate)
        for name in found
    ]


def lead(name, times):
    """How many times a peer needs what dicedist does: the geometric mean over the rules that it answers, and the least."""
    factors = [(min(theirs) / min(ours), rule[1]) for rule, ours, theirs in times if ours and theirs]
    if factors:
        mean = statistics.geometric_mean(factor for factor, _ in factors)
        least, rule = min(factors)
        print(f"{name}: ×{mean:.0f} in the geometric mean of {len(factors)} rules, ×{least:.1f} at the least (`{rule}`)")


def numbers(found, name):
    """The milliseconds of a library in one process."""
    return [float(took) for took in found.get(name, []) if took[0].isdigit()]


def main():
    """Everything."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--binary", default=str(ROOT / "target/release/dicedist"), help="the dicedist to measure")
    parser.add_argument("--venv", type=Path, default=ROOT / "target/peers", help="where the peers are installed")
    parser.add_argument("--python", help="the Python for them")
    parser.add_argument("--limit", type=float, default=30, metavar="SECONDS", help="of processor time, for each run (30)")
    parser.add_argument("--runs", type=int, default=7, help="fresh processes for each cell (7)")
    parser.add_argument("--peers", nargs="*", metavar="NAME", default=PEERS, choices=PEERS, help="just these peers: " + ", ".join(PEERS))
    parser.add_argument("--only", nargs="*", metavar="NAME", help="just these rules")
    arguments = parser.parse_args()
    # Weights of ten thousand dice have more digits than Python reads unasked.
    sys.set_int_max_str_digits(0)

    ours = Dicedist(arguments)
    python = environment(arguments)
    libraries = [Python(name, python, arguments) for name in PEERS[:4] if name in arguments.peers]
    peers = list(libraries)
    if "dicelab" in arguments.peers:
        dicelab = shutil.which("dicelab")
        if dicelab:
            peers.append(Dicelab(dicelab, arguments))
        else:
            print("dicelab is not on the search path and is left out", file=sys.stderr)

    rows, wrong = [], []
    for rule in RULES:
        if arguments.only and rule[0] not in arguments.only:
            continue
        print(rule[0], file=sys.stderr, flush=True)
        expected = ours.answer(rule)
        theirs = []
        for peer in peers:
            try:
                if not peer.agrees(peer.answer(rule), expected):
                    wrong.append((peer.name, rule[1]))
                theirs.append(peer.measure(rule))
            except Stopped as reason:
                theirs.append(Figures(stopped=str(reason)))
        found = together(rule, libraries, python, arguments)
        rows.append((rule, ours.measure_crate(rule), ours.measure(rule), theirs, found))

    machine = f"{platform.system()} {platform.machine()}"
    print(f"{machine}, milliseconds: quickest (median) of {arguments.runs} runs or more\n")
    print("In process:\n")
    names = [peer.name for peer in libraries]
    table(
        ["crate", "command", *names],
        [(rule, [cell(crate), cell(command.own), *own_cells(crate, found)]) for rule, crate, command, _, found in rows],
    )
    for peer in ["icepool", "dyce"]:
        mine = {
            "the crate": lambda crate, command, found: crate,
            "the command": lambda crate, command, found: command.own,
            "the text in the package": lambda crate, command, found: numbers(found, "text"),
            "the expression in the package": lambda crate, command, found: numbers(found, "python"),
        }
        for name, of in mine.items():
            times = [(rule, of(crate, command, found), numbers(found, peer)) for rule, crate, command, _, found in rows]
            lead(f"{peer} over {name}", times)
    print("\nWhole process:\n")
    table(
        ["dicedist", *(peer.name for peer in peers)],
        [
            (rule, [cell(command.whole), *(beside(figures.stopped, figures.whole, command.whole) for figures in theirs)])
            for rule, _, command, theirs, _ in rows
        ],
    )
    for name, rule in wrong:
        print(f"{name} gives another answer to {rule}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
