"""Writes `constraints.txt`: the versions of all that developing needs, for each supported Python.

    python -m tools.lock [--python PATH ...]

pip resolves `.[dev]` on each Python that is here; packages whose version depends on the Python get
a line each with a marker. Nothing is installed. Where a Python is not here, its lines stay as
they were. The file is no list of needs: `pip install -c constraints.txt -e ".[dev]"` uses it, or
PIP_CONSTRAINT.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools.matrix import PYTHONS, ROOT, interpreters, run

FILE = ROOT / "constraints.txt"
HEAD = """\
# What `pip install -e ".[dev]"` installs, for each Python that it is tried on.
# Written by: python -m tools.lock
"""
Versions = dict[str, str]


def resolved(python: str) -> Versions:
    """The version of each package that pip would install for development."""
    with tempfile.TemporaryDirectory() as place:
        run([python, "-m", "venv", f"{place}/env"])
        words = ["install", "-q", "--upgrade", "pip"]
        run([f"{place}/env/bin/python", "-m", "pip", *words])
        report = Path(place, "report.json")
        words = ["install", "-q", "--dry-run", "--ignore-installed", "--report", str(report)]
        run([f"{place}/env/bin/python", "-m", "pip", *words, f"{ROOT}[dev]"])
        rows = [row["metadata"] for row in json.loads(report.read_text("utf-8"))["install"]]
    found = {canonicalize_name(row["name"]): row["version"] for row in rows}
    del found["tfxla-lint"]
    return found


def read(text: str) -> dict[str, Versions]:
    """The versions of a written file, for each Python that it speaks of."""
    found: dict[str, Versions] = {version: {} for version in PYTHONS}
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            pinned = Requirement(line)
            (pin,) = pinned.specifier
            for python, versions in found.items():
                place = {"python_version": python}
                if pinned.marker is None or pinned.marker.evaluate(place):
                    versions[canonicalize_name(pinned.name)] = pin.version
    return found


def written(found: Mapping[str, Versions]) -> str:
    """The file: a line for each version of a package, with the Pythons where they are not all."""
    known = [python for python in PYTHONS if found.get(python)]
    rows: dict[tuple[str, str], list[str]] = defaultdict(list)
    for python in known:
        for name, version in found[python].items():
            rows[name, version].append(python)
    lines = []
    for (name, version), pythons in sorted(rows.items()):
        marker = " or ".join(f'python_version == "{python}"' for python in pythons)
        is_all = len(pythons) == len(known)
        lines.append(f"{name}=={version}" + ("" if is_all else f" ; {marker}"))
    return HEAD + "".join(f"{line}\n" for line in lines)


def main() -> int:
    """Resolve, and write the file."""
    parser = argparse.ArgumentParser(description="Pin what developing needs.")
    parser.add_argument("--python", nargs="*", default=(), help="paths of interpreters")
    options = parser.parse_args()
    found = read(FILE.read_text("utf-8")) if FILE.exists() else {}
    for version, path in interpreters(options.python).items():
        try:
            found[version] = resolved(path)
        except subprocess.SubprocessError as error:
            print(f"Python {version}: {error}", file=sys.stderr)
            return 1
        print(f"Python {version}: {len(found[version])} packages")
    FILE.write_text(written(found), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
