"""Changes three files of real projects again and again, and lints them as a hook does.

    python -m tools.try_hooks FOLDER... [--rounds 30] [--seed 1] [--files 3]

Of a copy of each project (a folder) it draws files that name TensorFlow and changes each: deletes or
repeats lines, renames a name, adds comments and calls. Those files are linted with what is kept of the
project, and without anything that is kept; what the two runs say has to be the same, to the last byte.
It prints the seconds of CPU that either took in the middle, and every difference; it exits with 1 if
there was one.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from shutil import copytree, ignore_patterns
from statistics import median

from tfxla_lint.project.scan import names_tensorflow

_TOOL = [sys.executable, "-m", "tfxla_lint", "-j", "1", "-v", "--select", "ALL"]
_OPTIONS = ["--output-format", "json"]
_WORD = re.compile(r"\b[a-z_]{4,}\b")


def _delete(draw: Random, lines: list[str]) -> None:
    del lines[draw.randrange(len(lines))]


def _repeat(draw: Random, lines: list[str]) -> None:
    at = draw.randrange(len(lines))
    lines.insert(at, lines[at])


def _comment(draw: Random, lines: list[str]) -> None:
    lines.insert(draw.randrange(len(lines)), "# A comment.")


def _rename(draw: Random, lines: list[str]) -> None:
    words = sorted({word for line in lines for word in _WORD.findall(line)})
    if words:
        word = re.compile(rf"\b{draw.choice(words)}\b")
        lines[:] = [word.sub("renamed_by_us", line) for line in lines]


def _call(draw: Random, lines: list[str]) -> None:
    names = re.findall(r"(?m)^(?:def|class) (\w+)", "\n".join(lines))
    lines += [f"{name}(1, tf.zeros([2]))" for name in draw.sample(names, min(1, len(names)))]


_CHANGES: list[Callable[[Random, list[str]], None]] = [_delete, _repeat, _comment, _rename, _call]


def change(path: Path, draw: Random) -> None:
    """Change one or two things in a file."""
    lines = path.read_text("utf-8", "surrogateescape").split("\n")
    for _ in range(draw.randint(1, 2)):
        if len(lines) > 1:
            draw.choice(_CHANGES)(draw, lines)
    path.write_text("\n".join(lines), "utf-8", "surrogateescape")


def _run(folder: Path, *arguments: str) -> tuple[tuple[int, str, str], float]:
    """What a run says, and the seconds of CPU that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    keys = ("TFXLA_LINT_NO_CACHE", "TFXLA_LINT_CACHE_DIR")
    environment = {key: value for key, value in os.environ.items() if key not in keys}
    command = [*_TOOL, *_OPTIONS, *arguments]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    taken = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return (done.returncode, done.stdout, done.stderr), taken


def try_project(project: Path, rounds: int, count: int, seed: int) -> int:
    """How many rounds say something else with what is kept than without."""
    draw = Random(seed)
    warm, bare = [], []
    wrong = 0
    with tempfile.TemporaryDirectory() as temporary:
        copy = Path(temporary) / project.name
        copytree(project, copy, symlinks=True, ignore=ignore_patterns(".tfxla_lint_cache"))
        (copy / ".git").mkdir(exist_ok=True)
        files = [path for path in sorted(copy.rglob("*.py")) if path.is_file()]
        files = [path for path in files if names_tensorflow(path.read_bytes())]
        kept = {path: path.read_bytes() for path in files}
        for number in range(rounds):
            chosen = draw.sample(files, min(count, len(files)))
            for path in chosen:
                change(path, draw)
            names = [str(path.relative_to(copy)) for path in chosen]
            ours, taken = _run(copy, *names)
            warm.append(taken)
            theirs, taken = _run(copy, "--no-cache", *names)
            bare.append(taken)
            if ours != theirs or ours[0] not in (0, 1):
                wrong += 1
                print(f"  round {number}, {' '.join(names)}: status {ours[0]}, {theirs[0]}")
            if number % 3 == 2:
                for path, data in kept.items():
                    path.write_bytes(data)
    told = f"CPU {median(warm):.2f} s with what is kept, {median(bare):.2f} s without"
    print(f"{project.name}: {wrong} of {rounds} rounds differ; {told}", flush=True)
    return wrong


def main() -> int:
    """Read the arguments and try each project."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("projects", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--files", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    told = parser.parse_args()
    wrong = [try_project(p.resolve(), told.rounds, told.files, told.seed) for p in told.projects]
    return 1 if any(wrong) else 0


if __name__ == "__main__":
    sys.exit(main())
