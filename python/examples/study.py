"""A study of ten thousand settings: which dice, rolled and kept, do what 3d6 do, with the least luck?

    python study.py                         on all cores of this machine
    python study.py --dask tcp://host:8786  on a Dask cluster; `--dask local` starts one here
    python study.py --dice 4                a small study of 4 * 4 * 25 settings
"""

from __future__ import annotations

import argparse
import time
from concurrent.futures import Executor, ProcessPoolExecutor

import dicedist

#: Roll `n` dice of `s` faces, and add the highest `k`.
RULE = "sum(high k n#d s)"


def study(dice: int, executor: Executor | None) -> dicedist.Sweep:
    """All settings, solved by an executor, or here."""
    up_to = range(1, dice + 1)
    return dicedist.sweep(
        RULE, n=up_to, k=up_to, s=range(4, 29), executor=executor, solving={"progress": True}
    )


def report(swept: dicedist.Sweep, seconds: float) -> None:
    """The settings whose mean is that of 3d6 or nearly so, the least luck first."""
    wanted = dicedist.solve("3d6").mean()
    near = [(dist.stdev(), setting) for setting, dist in swept.items() if abs(dist.mean() - wanted) <= 0.25]
    print(f"{len(swept)} settings in {seconds:.1f} s, {len(near)} of them with a mean near {float(wanted)}")
    for deviation, setting in sorted(near, key=lambda one: one[0])[:5]:
        n, k, s = (setting[name] for name in ("n", "k", "s"))
        print(f"  {n}d{s}, highest {k}: mean {float(swept[setting].mean()):.2f}, deviation {deviation:.2f}")


def main() -> None:
    """Reads the arguments, and does the study."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dice", type=int, default=20, help="the most dice (20)")
    parser.add_argument("--dask", metavar="ADDRESS", help="the scheduler of a Dask cluster, or `local`")
    asked = parser.parse_args()
    started = time.monotonic()
    if asked.dask is None:
        with ProcessPoolExecutor() as processes:
            swept = study(asked.dice, processes)
    else:
        from distributed import Client

        with Client(None if asked.dask == "local" else asked.dask) as client:
            swept = study(asked.dice, client.get_executor())
    report(swept, time.monotonic() - started)


if __name__ == "__main__":  # processes begin by importing this file
    main()
