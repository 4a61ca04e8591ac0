#!/usr/bin/env python3
"""Whether everything agrees before a release: release/check.py v0.1.0 https://address/of/the/repository"""

from __future__ import annotations

import re
import sys

from build import ROOT, VERSION


def found(file: str, pattern: str) -> str | None:
    match = re.search(pattern, (ROOT / file).read_text(encoding="utf-8"), re.M)
    return match[1] if match else None


def main() -> None:
    tag, repository = sys.argv[1:]
    wrong = []
    if tag != f"v{VERSION}":
        wrong.append(f"the tag is {tag}, and Cargo.toml has the version {VERSION}")
    for file, pattern in [("python/Cargo.toml", r'^version = "(.*)"$'), ("web/package.json", r'^  "version": "(.*)",$')]:
        if found(file, pattern) != VERSION:
            wrong.append(f"{file} has the version {found(file, pattern)}, and Cargo.toml {VERSION}")
    heading = found("CHANGELOG.md", r"^## (.*)$")
    if not re.fullmatch(rf"{re.escape(VERSION)} \(\d{{4}}-\d\d-\d\d\)", heading or ""):
        wrong.append(f"CHANGELOG.md begins with “{heading}”, and not with {VERSION} and a date such as (2027-01-31)")
    if found("Cargo.toml", r'^repository = "(.*)"$') != repository:
        wrong.append(f'Cargo.toml lacks repository = "{repository}", where cargo binstall finds the release')
    for line in wrong:
        print(f"error: {line}", file=sys.stderr)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
