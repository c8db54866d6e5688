"""Tries the tool on real projects: lints them, fixes copies of them, fixes those again.

    python -m tools.try_corpus FOLDER... [--draw 30] [--seed 1]

For each project (a folder) it counts findings by rule, applies `--fix --unsafe-fixes` to a copy,
compiles every file that changed and checks that a second run changes nothing. It prints a table,
every problem met, and a draw of findings to read by eye. It exits with 1 if there was a problem.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

TOOL = [sys.executable, "-m", "tfxla_lint", "--isolated", "--no-cache"]


@dataclass
class Trial:
    """What became of one project."""

    project: Path
    files: int = 0
    findings: list[dict[str, Any]] = field(default_factory=list)
    changed: int = 0
    problems: list[str] = field(default_factory=list)

    @property
    def counts(self) -> Counter[str]:
        return Counter(finding["code"] for finding in self.findings)


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*TOOL, *arguments], capture_output=True, text=True, check=False)


def lint(folder: Path, trial: Trial, select: list[str]) -> list[dict[str, Any]]:
    done = run("-v", "--output-format", "json", *select, str(folder))
    if done.returncode not in (0, 1):
        trial.problems.append(f"status {done.returncode}: {done.stderr.strip()[:300]}")
    return list(json.loads(done.stdout)["findings"]) if done.stdout.strip() else []


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in sorted(folder.rglob("*.py")) if path.is_file()}


def compiles(path: Path, data: bytes) -> bool:
    try:
        compile(data, str(path), "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True


def try_project(project: Path, select: list[str]) -> Trial:
    trial = Trial(project)
    trial.findings = lint(project, trial, select)
    with tempfile.TemporaryDirectory() as temporary:
        copy = Path(temporary) / project.name
        shutil.copytree(project, copy, symlinks=True)
        before = contents(copy)
        trial.files = len(before)
        first = run("--fix", "--unsafe-fixes", "--exit-zero", "-q", *select, str(copy))
        if first.returncode != 0:
            trial.problems.append(f"fix: {first.stderr.strip()[:300]}")
        after = contents(copy)
        for path, data in after.items():
            if data != before[path]:
                trial.changed += 1
                if compiles(path, before[path]) and not compiles(path, data):
                    trial.problems.append(f"does not compile any more: {path.relative_to(copy)}")
        run("--fix", "--unsafe-fixes", "--exit-zero", "-q", *select, str(copy))
        again = contents(copy)
        for path, data in again.items():
            if data != after[path]:
                trial.problems.append(f"a second run changes {path.relative_to(copy)}")
    return trial


def report(trials: list[Trial]) -> None:
    print("| project | files | findings | files fixed | by rule |")
    print("|---|---|---|---|---|")
    for trial in trials:
        rules = ", ".join(f"{code[3:]}: {n}" for code, n in sorted(trial.counts.items()))
        row = (trial.project.name, trial.files, len(trial.findings), trial.changed, rules)
        print("| " + " | ".join(map(str, row)) + " |")
    total = Counter[str]()
    for trial in trials:
        total.update(trial.counts)
    print(f"\n{sum(total.values())} findings:", dict(sorted(total.items())))
    for trial in trials:
        for problem in trial.problems:
            print(f"PROBLEM {trial.project.name}: {problem}")


def draw(trials: list[Trial], count: int, seed: int) -> None:
    pool = [finding for trial in trials for finding in trial.findings]
    pool.sort(key=lambda f: (f["path"], f["line"], f["column"], f["code"]))
    for finding in random.Random(seed).sample(pool, min(count, len(pool))):
        place = f"{finding['path']}:{finding['line']}"
        print(f"{place}: {finding['code']} {finding['message']}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--draw", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--select", action="append", default=[])
    options = parser.parse_args()
    select = [word for name in options.select for word in ("--select", name)]
    trials = [try_project(folder, select) for folder in options.folders]
    report(trials)
    draw(trials, options.draw, options.seed)
    return 1 if any(trial.problems for trial in trials) else 0


if __name__ == "__main__":
    sys.exit(main())
