#!/usr/bin/env python3
"""Times the engine of the page in Node beside the crate, on the rules of the comparison.

    (cd web && npm ci && npm run build)
    python3 benches/peers/page.py

prints a Markdown table in milliseconds. Both have answered the rule before: the crate three times (`benches/in_process.rs`), the
page as often as `web/scripts/times.mjs` has time for, so that WebAssembly is compiled. A cell shows the quickest of all answers;
the crate's are from processes of their own. The page also explains the rule and summarises the answer, which the crate leaves out.
"""

import argparse
import json
import math
import subprocess

from run import ROOT, RULES, build_crate

# The whole answer would need more memory than the page may take.
LEFT_OUT = {"sum10000", "high500"}


def of_crate(crate, text, runs):
    """The least time of so many processes, each of which answers the rule for the fourth time."""
    command = [crate, text, text, text, text]
    done = (subprocess.run(command, capture_output=True, text=True, check=True) for _ in range(runs))
    return min(float(process.stdout.split()[0]) for process in done)


def of_page(text):
    """The least time of the page's engine, and that of its first answer."""
    script = ["node", str(ROOT / "web" / "scripts" / "times.mjs")]
    question = json.dumps({"text": text})
    done = subprocess.run(script, input=question, stdout=subprocess.PIPE, text=True, check=True)
    times = json.loads(done.stdout)
    return min(times), times[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--runs", type=int, default=10, help="processes of the crate for each rule")
    names = [name for name, *_ in RULES if name not in LEFT_OUT]
    parser.add_argument("--only", nargs="+", default=names, choices=names, metavar="RULE", help=f"of {', '.join(names)}")
    arguments = parser.parse_args()

    crate = build_crate()
    ratios = []
    print("| rule | crate | page | first answer |\n|---|---|---|---|")
    for name, text, *_ in RULES:
        if name not in arguments.only:
            continue
        ours = of_crate(crate, text, arguments.runs)
        page, first = of_page(text)
        ratios.append(page / ours)
        print(f"| `{text}` | {ours:.3g} | {page:.3g} ×{page / ours:.2g} | {first:.3g} |", flush=True)
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    print(f"\nThe page takes {mean:.2g} times as long in the geometric mean, and {max(ratios):.2g} times at most.")


if __name__ == "__main__":
    main()
