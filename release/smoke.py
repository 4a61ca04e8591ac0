#!/usr/bin/env python3
"""Installs what release/build.py has made, each in an empty place, and asks each for 4d6 drop lowest.

    release/smoke.py                       all: command, papers, wheel, sdist, page
    release/smoke.py command wheel         some of it
    release/smoke.py --python python3.10   with another Python than this one (once for each)

The command runs in a root that holds nothing else (as root, or where a user may make a namespace), the wheel without Rust, the page in
Chromium. Each line says how long the first answer took, from the packed file.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

from build import FOR_COMMAND, ON_LINUX, OUT, PAPERS, ROOT, SHELLS, TARGET, VERSION

#: Of all 1,296 rolls of four dice: how many have 15 or more without their lowest die.
GOOD = sum(sum(roll) - min(roll) >= 15 for roll in itertools.product(range(1, 7), repeat=4))
CHANCE = Fraction(GOOD, 6**4)
KIND = {"arm64": "aarch64", "amd64": "x86_64"}.get(platform.machine().lower(), platform.machine().lower())
COMMANDS = [f"dicedist-{VERSION}-{KIND}-{FOR_COMMAND}.*"]
#: The wheels that this machine can use.
WHEELS = {
    "linux": [f"*-manylinux*_{KIND}.whl"],
    "darwin": [f"*-macosx*_{'arm64' if KIND == 'aarch64' else KIND}.whl"],
    "win32": [f"*-win_{'arm64' if KIND == 'aarch64' else 'amd64'}.whl"],
}[sys.platform]


def output(*words: object, **options) -> str:
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, f"{words[0]} ends with {done.returncode}: {done.stdout}{done.stderr}"
    return " ".join(done.stdout.split())


def right(answer: str, expected: str = str(CHANCE)) -> str:
    assert expected in answer, f"{answer!r} does not say {expected}"
    return answer


def unpack(file: Path, room: Path) -> Path:
    """The folder of an archive."""
    shutil.unpack_archive(file, room / "unpacked", **({} if file.suffix == ".zip" else {"filter": "data"}))
    (folder,) = (room / "unpacked").iterdir()
    return folder


def command(file: Path, room: Path) -> str:
    """In an empty root, without a C library, a shell or an environment."""
    folder = unpack(file, room)
    words = ["4d6kh3", "--at-least", "15"]
    if not ON_LINUX:
        return right(output(folder / f"dicedist{'.exe' if os.name == 'nt' else ''}", *words, cwd=room))
    root = room / "root"
    root.mkdir()
    shutil.copy(folder / "dicedist", root)
    enter = ["chroot", root] if os.geteuid() == 0 else ["unshare", "--map-root-user", "--root", root]
    return right(output(shutil.which(enter[0]) or enter[0], *enter[1:], "/dicedist", *words, env={}))


def papers(file: Path, room: Path) -> str:
    folder = unpack(file, room)
    names = [*PAPERS, *(f"completions/{name}" for name in SHELLS.values()), "man/dicedist.1"]
    for name in names:
        assert (folder / name).stat().st_size > 500, name
    assert ".TH dicedist 1" in (folder / "man" / "dicedist.1").read_text(encoding="utf-8")
    if ON_LINUX:
        known = output("bash", "--norc", "-c", f'. "{folder}/completions/dicedist.bash"; complete -p dicedist')
        assert "_dicedist" in known, known
    return f"{len(names)} of them, and bash completes the command"


def package(file: Path, room: Path, tools: str, python: str) -> str:
    """In a fresh virtual environment; `tools` are the only programs at hand."""
    output(python, "-m", "venv", room)
    own = room / ("bin" if os.name == "posix" else "Scripts") / "python"
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")} | {"PATH": tools}
    sources = ["--no-index"]
    if file.suffix != ".whl":  # Only whether it holds everything matters: nobody waits for a quick engine.
        sources = []
        environment |= {"CARGO_PROFILE_RELEASE_OPT_LEVEL": "0", "CARGO_TARGET_DIR": str(TARGET / "sdist")}
    output(own, "-m", "pip", "install", "--quiet", "--no-deps", *sources, file, env=environment)
    code = "import dicedist, sys; print(dicedist.solve('4d6kh3').at_least(15), 'with Python', sys.version.split()[0])"
    return right(output(own, "-I", "-c", code, cwd=room, env=environment))


def page(file: Path, room: Path) -> str:
    target = unpack(file, room) if file.suffix == ".gz" else file
    percent = f"{float(100 * CHANCE):.2f}%"
    return right(output("node", ROOT / "release" / "page.mjs", target, percent), percent)


def sums() -> None:
    lines = (OUT / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    for line in lines:
        expected, name = line.split("  ")
        assert hashlib.sha256((OUT / name).read_bytes()).hexdigest() == expected, name
    print(f"{len(lines)} files are as their sums say")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("part", nargs="*", help="command, papers, wheel, sdist or page (what is there)")
    parser.add_argument("--python", action="append", help="a Python for the wheel")
    asked = parser.parse_args()
    if (OUT / "SHA256SUMS").exists():
        sums()
    nothing = tempfile.mkdtemp()
    checks = {
        "command": (COMMANDS, command, [()]),
        "papers": (COMMANDS, papers, [()]),
        "wheel": (WHEELS, package, [(nothing, python) for python in asked.python or [sys.executable]]),
        "sdist": ([f"dicedist-{VERSION}.tar.gz"], package, [(os.environ["PATH"], sys.executable)]),
        "page": ([f"dicedist-{VERSION}-page.tar.gz", f"dicedist-{VERSION}.html"], page, [()]),
    }
    tried = 0
    for part in asked.part or checks:
        patterns, check, all_given = checks[part]
        files = [file for pattern in patterns for file in sorted(OUT.glob(pattern))]
        assert files or part not in asked.part, f"nothing is there for {part}"
        for file, given in itertools.product(files, all_given):
            started = time.monotonic()
            with tempfile.TemporaryDirectory() as room:
                answer = check(file, Path(room), *given)
            print(f"{time.monotonic() - started:6.2f} s  {part}, {file.name}: {answer}", flush=True)
            tried += 1
    os.rmdir(nothing)
    assert tried > 0, "nothing was tried"


if __name__ == "__main__":
    main()
