"""Tries the tool on real notebooks: lints and fixes copies of them and looks at every byte.

    python -m tools.try_notebooks FOLDER... [--keep FOLDER] [--alone]

Each folder is a project; its notebooks, and the Python files beside them, are copied (with `--alone`
only the notebooks). `check --fix --unsafe-fixes` runs on the copy, then again. It prints the messages
on notebooks that are not linted, a line for each problem (a crash, a byte that changed outside of the
code of changed cells, a second run that changes something, a notebook that nbformat no longer takes)
and the counts, and exits with 1 if there was a problem. Nothing of the notebooks is run.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tfxla_lint.notebooks.document import Document
from tfxla_lint.notebooks.module import NotebookSource
from tfxla_lint.source import SourceError


def copied(project: Path, to: Path, alone: bool) -> dict[Path, bytes]:
    """The notebooks of a copy of a project, with their bytes."""
    patterns = ["*.ipynb"] if alone else ["*.ipynb", "*.py", "*.toml", "*.cfg", "requirements*.txt"]
    for pattern in patterns:
        for path in project.rglob(pattern):
            if path.is_file() and ".git" not in path.parts:
                target = to / path.relative_to(project)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, target)
    (to / "tfxla-lint.toml").write_text("exclude = ['.git']\ninclude-tests = true\n", "utf-8")
    return {path: path.read_bytes() for path in sorted(to.rglob("*.ipynb"))}


def run(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tfxla_lint", "check", ".", *options]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def outside(data: bytes, changed: set[int]) -> str:
    """The text of a notebook without the code of some of its cells."""
    document = Document.from_bytes(data, "")
    parts, at = [], 0
    for cell in document.cells:
        if cell.index in changed:
            parts.append(document.source.text[at : cell.source.start])
            at = cell.source.end
    return "\0".join([*parts, document.source.text[at:]])


def problems(before: bytes, after: bytes) -> Iterator[str]:
    """What fixing a notebook broke."""
    old, new = json.loads(before), json.loads(after)
    changed: set[int] = set()
    sheets = zip(old.get("worksheets", [old]), new.get("worksheets", [new]), strict=True)
    pairs = [pair for a, b in sheets for pair in zip(a["cells"], b["cells"], strict=True)]
    for index, (a, b) in enumerate(pairs, 1):
        for name in ("source", "input"):
            if a.get(name) != b.get(name):
                changed.add(index)
                if type(a[name]) is not type(b[name]):
                    yield f"cell {index}: the source is written in another way"
                a[name] = b[name]
    if old != new:
        yield "something else than code changed"
    elif outside(before, changed) != outside(after, changed):
        yield "bytes outside of the changed cells changed"
    if is_valid(before) and not is_valid(after):
        yield "nbformat does not take it any more"


def is_valid(data: bytes) -> bool:
    import nbformat

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            nbformat.validate(nbformat.reads(data.decode(), nbformat.NO_CONVERT))
        except Exception:
            return False
    return True


def try_project(project: Path, folder: Path, alone: bool, counts: Counter[str]) -> Iterator[str]:
    """What is wrong with what becomes of one project's notebooks."""
    before = copied(project, folder, alone)
    counts["notebooks"] += len(before)
    report = run(folder, "--output-format", "json", "--unsafe-fixes")
    if report.returncode > 1 or report.stderr.count("error:"):
        yield f"{project.name}: {report.stderr.strip()}"
    if not report.stdout:
        return
    for finding in json.loads(report.stdout)["findings"]:
        if finding["path"].endswith(".ipynb"):
            counts["findings"] += 1
            counts["fixable"] += finding["fix"] is not None
            if finding["code"] == "TXL001":
                counts["not Python"] += 1
                place = f"{finding['path']}:cell {finding.get('cell')}:{finding['line']}"
                print(f"  {project.name}/{place}: {finding['message']}")
    run(folder, "--fix", "--unsafe-fixes")
    after = {path: path.read_bytes() for path in before}
    for path, data in before.items():
        name = f"{project.name}/{path.relative_to(folder)}"
        try:
            source = NotebookSource.from_bytes(data, name)
        except SourceError:
            continue
        counts["cells"] += len(source.cells)
        counts["without Python"] += not source.cells
        if source.encode(source.text) != data:
            yield f"{name}: it does not come back"
        if after[path] != data:
            counts["fixed"] += 1
            yield from (f"{name}: {problem}" for problem in problems(data, after[path]))
    run(folder, "--fix", "--unsafe-fixes")
    for path, data in after.items():
        if path.read_bytes() != data:
            yield f"{project.name}/{path.relative_to(folder)}: a second run changes it"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--keep", type=Path, help="where the fixed copies are left")
    parser.add_argument("--alone", action="store_true", help="copy the notebooks alone")
    arguments = parser.parse_args()
    counts: Counter[str] = Counter()
    found: list[str] = []
    with tempfile.TemporaryDirectory() as scratch:
        for project in arguments.folders:
            folder = (arguments.keep or Path(scratch)) / project.name
            folder.mkdir(parents=True)
            for problem in try_project(project, folder, arguments.alone, counts):
                found.append(problem)
                print(problem, flush=True)
    print(", ".join(f"{count} {name}" for name, count in counts.items()))
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
