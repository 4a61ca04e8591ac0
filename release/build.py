#!/usr/bin/env python3
"""Makes everything that is published, in target/published.

    release/build.py                 all of it, as on Linux
    release/build.py binary wheel    some of it: binary, wheel, sdist, page
    --for aarch64                    for this kind of processor alone: x86_64 or aarch64

Needs Rust with rustup, Python 3.11 and, for the page, Node. What else it needs, it installs below target/.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve()
OUT = TARGET / "published"
VERSION = re.search(r'^version = "(.*)"$', (ROOT / "Cargo.toml").read_text(encoding="utf-8"), re.M)[1]
#: Beside every program and every page.
PAPERS = ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"]
#: A shell, and the name of the file that it looks for.
SHELLS = {"bash": "dicedist.bash", "zsh": "_dicedist", "fish": "dicedist.fish", "elvish": "dicedist.elv", "powershell": "_dicedist.ps1"}
KINDS = ["x86_64", "aarch64"]
#: What a kind of processor is called with a system, for the command and for Python. The command for Linux needs no library.
SYSTEMS = {
    "linux": ("unknown-linux-musl", "unknown-linux-gnu"),
    "darwin": ("apple-darwin", "apple-darwin"),
    "win32": ("pc-windows-msvc", "pc-windows-msvc"),
}
FOR_COMMAND, FOR_PYTHON = SYSTEMS[sys.platform]
ON_LINUX = sys.platform == "linux"


def run(*words: object, **options) -> None:
    print(">", *words, file=sys.stderr, flush=True)
    subprocess.run([str(word) for word in words], check=True, cwd=options.pop("cwd", ROOT), **options)


def said(*words: object) -> str:
    return subprocess.run([str(word) for word in words], check=True, cwd=ROOT, capture_output=True, text=True).stdout.strip()


def host() -> str:
    return re.search(r"^host: (.*)$", said("rustc", "-vV"), re.M)[1]


def tools() -> Path:
    """The folder with the programs of tools.txt."""
    room = TARGET / "release-tools"
    wanted = (HERE / "tools.txt").read_bytes()
    programs = room / ("bin" if os.name == "posix" else "Scripts")
    have = room / "tools.txt"
    if not have.exists() or have.read_bytes() != wanted:
        venv.create(room, clear=True, with_pip=True)
        run(programs / "python", "-m", "pip", "install", "--quiet", "--requirement", HERE / "tools.txt")
        have.write_bytes(wanted)
    os.environ["PATH"] = f"{programs}{os.pathsep}{os.environ['PATH']}"
    return programs


def program(target: str) -> Path:
    """The command for a machine."""
    run("rustup", "target", "add", target)
    build = "zigbuild" if target.endswith("-musl") else "build"
    run("cargo", build, "--release", "--locked", "--features", "png", "--bin", "dicedist", "--target", target, "--target-dir", TARGET)
    return TARGET / target / "release" / ("dicedist.exe" if "windows" in target else "dicedist")


def binaries(kinds: list[str]) -> None:
    tools()
    made = {f"{kind}-{FOR_COMMAND}": program(f"{kind}-{FOR_COMMAND}") for kind in kinds}
    # What this machine can run writes the papers of all.
    runs = next((path for target, path in made.items() if target.split("-")[0] == host().split("-")[0]), None)
    papers = {name: (ROOT / name).read_bytes() for name in PAPERS}
    if runs:
        written = {f"completions/{name}": said(runs, "--completions", shell) for shell, name in SHELLS.items()}
        written["man/dicedist.1"] = said(runs, "--man")
        papers |= {name: f"{text}\n".encode() for name, text in written.items()}
        if ON_LINUX:
            archive(f"dicedist-{VERSION}-shell", {name: text for name, text in papers.items() if name in written})
    for target, path in made.items():
        name = f"dicedist-{VERSION}-{target}"
        archive(name, {path.name: path.read_bytes()} | papers, is_zip="windows" in target)


def wheels(kinds: list[str]) -> None:
    tools()
    command = ["maturin", "build", "--release", "--locked", "--manifest-path", "python/Cargo.toml", "--out", OUT, "--target-dir", TARGET]
    # The oldest Linux that Rust itself supports.
    linux = ["--zig", "--compatibility", "manylinux2014"] if ON_LINUX else []
    for kind in kinds:
        run("rustup", "target", "add", f"{kind}-{FOR_PYTHON}")
        run(*command, "--target", f"{kind}-{FOR_PYTHON}", *linux)


def sdist() -> None:
    tools()
    run("maturin", "sdist", "--manifest-path", "python/Cargo.toml", "--out", OUT)


def page() -> None:
    run(npm(), "ci", "--silent", cwd=ROOT / "web")
    run(npm(), "run", "--silent", "build", cwd=ROOT / "web", env=os.environ | {"CARGO_TARGET_DIR": str(TARGET)})
    dist = ROOT / "web" / "dist"
    files = {path.relative_to(dist).as_posix(): path.read_bytes() for path in sorted(dist.rglob("*")) if path.is_file()}
    whole = files.pop("dicedist.html")
    (OUT / f"dicedist-{VERSION}.html").write_bytes(whole)
    archive(f"dicedist-{VERSION}-page", files)


def npm() -> str:
    return shutil.which("npm") or "npm"


def archive(name: str, files: dict[str, bytes], is_zip: bool = False) -> None:
    """A folder as one file: the same bytes for the same files."""
    if is_zip:
        with zipfile.ZipFile(OUT / f"{name}.zip", "w", zipfile.ZIP_DEFLATED) as packed:
            for path, content in files.items():
                packed.writestr(zipfile.ZipInfo(f"{name}/{path}"), content, zipfile.ZIP_DEFLATED)
        return
    with open(OUT / f"{name}.tar.gz", "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as zipped, tarfile.open(fileobj=zipped, mode="w") as packed:
        for path, content in files.items():
            entry = tarfile.TarInfo(f"{name}/{path}")
            entry.size = len(content)
            entry.mode = 0o755 if path == "dicedist" else 0o644
            packed.addfile(entry, io.BytesIO(content))


def notes() -> None:
    """With what everything was made, and the sums by which a download is checked."""
    lines = [f"dicedist {VERSION}", f"commit {said('git', 'rev-parse', 'HEAD')}{' with changes' if said('git', 'status', '--porcelain') else ''}"]
    lines += [said("rustc", "--version"), said("cargo", "--version"), f"Python {sys.version.split()[0]}"]
    if shutil.which("node"):
        lines.append(f"Node {said('node', '--version')}")
    lines += [line for line in (HERE / "tools.txt").read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    (OUT / f"VERSIONS-{host()}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    sums()


def sums() -> None:
    files = sorted(path for path in OUT.iterdir() if path.name != "SHA256SUMS")
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    (OUT / "SHA256SUMS").write_text("".join(lines), encoding="utf-8", newline="\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("part", nargs="*", help="binary, wheel, sdist or page (all of them)")
    parser.add_argument("--for", dest="kinds", action="append", choices=KINDS, help="a kind of processor (both)")
    asked = parser.parse_args()
    kinds = asked.kinds or KINDS
    parts = {"binary": lambda: binaries(kinds), "wheel": lambda: wheels(kinds), "sdist": sdist, "page": page}
    if unknown := set(asked.part) - set(parts):
        parser.error(f"there is no part {', '.join(sorted(unknown))}")
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    for part in asked.part or parts:
        parts[part]()
    notes()
    for path in sorted(OUT.iterdir()):
        print(f"{path.stat().st_size / 1e6:7.2f} MB  {path.name}")


if __name__ == "__main__":
    main()
