"""Writes `constraints.txt`: the versions of all that developing needs, for each supported Python.

    python -m tools.lock [--python PATH ...] [--upgrade]

What is pinned stays, what is needed besides is added; with `--upgrade` all is chosen anew. pip
resolves `.[dev]` on each Python that is here; a package whose version depends on the Python gets
a line for each with a marker. Nothing is installed. The lines of a Python that is not here stay.
The file is no list of needs: `pip install -c constraints.txt -e ".[dev]"` uses it, or
PIP_CONSTRAINT, as CI and `tools.release` do.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools.matrix import ROOT, Failed, interpreters, run

FILE = ROOT / "constraints.txt"
_HEAD = """\
# What `pip install -e ".[dev]"` installs. Written by: python -m tools.lock
# Resolved on: {}
"""
_RESOLVED = re.compile(r"^# Resolved on: (.*)$", re.M)
Versions = dict[str, str]


def resolved(python: str, pins: Path | None) -> Versions:
    """The version of each package that pip would install for development."""
    kept = ["-c", str(pins)] if pins is not None else []
    with tempfile.TemporaryDirectory() as place:
        pip = [f"{place}/env/bin/python", "-m", "pip", "install", "-q"]
        report = Path(place, "report.json")
        run([python, "-m", "venv", f"{place}/env"])
        run([*pip, "--upgrade", "pip"])
        dry = ["--dry-run", "--ignore-installed", "--report", str(report)]
        run([*pip, *dry, *kept, f"{ROOT}[dev]"])
        rows = [row["metadata"] for row in json.loads(report.read_text("utf-8"))["install"]]
    found: Versions = {canonicalize_name(row["name"]): row["version"] for row in rows}
    del found["tfxla-lint"]
    return found


def read(text: str) -> dict[str, Versions]:
    """The versions of a written file, for each Python that it was resolved on."""
    pythons = _RESOLVED.search(text)
    found: dict[str, Versions] = {v: {} for v in (pythons[1].split(", ") if pythons else ())}
    for line in text.splitlines():
        if not line.startswith("#"):
            pinned = Requirement(line)
            (pin,) = pinned.specifier
            for python, versions in found.items():
                if pinned.marker is None or pinned.marker.evaluate({"python_version": python}):
                    versions[canonicalize_name(pinned.name)] = pin.version
    return found


def written(found: Mapping[str, Versions]) -> str:
    """The file: a line for each version of a package, with its Pythons where they are not all."""
    known = sorted(found, key=lambda version: int(version.partition(".")[2]))
    rows: dict[tuple[str, str], list[str]] = defaultdict(list)
    for python in known:
        for name, version in found[python].items():
            rows[name, version].append(python)
    lines = []
    for (name, version), pythons in sorted(rows.items()):
        marker = " or ".join(f'python_version == "{python}"' for python in pythons)
        lines.append(f"{name}=={version}" + (f" ; {marker}" if pythons != known else ""))
    return _HEAD.format(", ".join(known)) + "".join(f"{line}\n" for line in lines)


def main() -> int:
    """Resolve, and write the file."""
    parser = argparse.ArgumentParser(description="Pin what developing needs.")
    parser.add_argument("--python", nargs="*", default=(), help="paths of interpreters")
    parser.add_argument("--upgrade", action="store_true", help="keep no version")
    options = parser.parse_args()
    found = read(FILE.read_text("utf-8")) if FILE.exists() else {}
    pins = FILE if found and not options.upgrade else None
    for version, path in interpreters(options.python).items():
        try:
            found[version] = resolved(path, pins)
        except Failed as error:
            print(f"Python {version}: {error}", file=sys.stderr)
            return 1
        print(f"Python {version}: {len(found[version])} packages", flush=True)
    FILE.write_text(written(found), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
