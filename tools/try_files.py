"""Lints every Python file below folders, whatever it is about: none may crash, hang or be told off.

    python -m tools.try_files FOLDER... [--seconds 60] [--seen FILE] [--draw 0.1]

Each different file is linted once with all rules, by itself. One that has nothing to do with
TensorFlow would be passed over, so a line that imports it is added to its end: whatever a rule then
says is said outside of TensorFlow code, and counts as a problem like an internal error, a process
that dies and a file that takes longer than `--seconds`. It prints how many files and lines were
linted in which time, the slowest files and each problem, and ends with 1 if there was one.

With `--seen` the names of contents that gave no problem are kept in a file, and these are passed over
by later runs. `--draw` takes that share of the files, the same in each run.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import select
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from tfxla_lint.digests import digest
from tfxla_lint.linter import Linter
from tfxla_lint.project.scan import names_tensorflow
from tfxla_lint.registry import TOOL_FAMILY, read_catalogue
from tfxla_lint.work import LintOptions

#: How many of the slowest files are listed.
_SLOWEST = 5
_IMPORT = b"\nimport tensorflow as tf\n"


def lint(linter: Linter, path: str, rules: frozenset[str]) -> dict[str, Any]:
    """What linting one file gives, in plain data."""
    data = Path(path).read_bytes()
    is_foreign = not names_tensorflow(data)
    started = time.perf_counter()
    result, _ = linter.lint_bytes(data + _IMPORT if is_foreign else data, path)
    seconds = time.perf_counter() - started
    said = [f for f in result.findings if f.code in rules]
    return {
        "seconds": seconds,
        "is_foreign": is_foreign,
        "is_python": not result.has_syntax_error,
        "said": [f"{f.code} line {f.span.line}: {f.message}" for f in said],
        "is_read": not any(c.code == "parser" for c in result.crashed),
        # What all rules ask for raises in each of them.
        "crashed": [
            c.message.partition(" while ")[0] for c in result.crashed if c.code != "parser"
        ],
    }


def serve() -> None:
    """Lint each file whose path comes in a line."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    catalogue = read_catalogue()
    rules = frozenset(rule.code for rule in catalogue.rules if rule.family != TOOL_FAMILY)
    linter = Linter(catalogue, LintOptions(catalogue.codes, catalogue.codes, None))
    for line in sys.stdin:
        print(json.dumps(lint(linter, json.loads(line), rules)), file=answers, flush=True)


class Server:
    """A process that lints one file after the other, and is replaced where one is its end."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._process: subprocess.Popen[str] | None = None

    def lint(self, path: Path) -> dict[str, Any] | str:
        """What linting a file gives, or how it failed."""
        process = self._process = self._process or subprocess.Popen(
            [sys.executable, "-m", "tools.try_files", "--serve"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(str(path)) + "\n")
        process.stdin.flush()
        answer = self._answer(process.stdout)
        if answer:
            return dict(json.loads(answer))
        self.close()
        died = answer is not None
        return "the process died" if died else f"not done after {self._seconds:.0f} seconds"

    def _answer(self, stream: IO[str]) -> str | None:
        """The line that comes; None where none does in time."""
        ready, _, _ = select.select([stream], [], [], self._seconds)
        return stream.readline() if ready else None

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


@dataclass
class Tally:
    """What the files add up to."""

    files: int = 0
    lines: int = 0
    data: int = 0
    foreign: int = 0
    no_python: int = 0
    unread: int = 0
    seconds: float = 0.0
    said: Counter[str] = field(default_factory=Counter)
    slowest: list[tuple[float, int, str]] = field(default_factory=list)
    problems: int = 0

    def add(self, path: Path, data: bytes, found: dict[str, Any] | str) -> None:
        """Count one more file."""
        lines = data.count(b"\n")
        self.files += 1
        self.lines += lines
        self.data += len(data)
        if isinstance(found, str):
            self._complain(path, found)
            return
        self.seconds += found["seconds"]
        self.foreign += found["is_foreign"]
        self.no_python += not found["is_python"]
        self.unread += not found["is_read"]
        self.slowest = sorted([*self.slowest, (found["seconds"], lines, str(path))])[-_SLOWEST:]
        crashed = Counter(found["crashed"])
        for message, times in crashed.items():
            self._complain(path, f"{message} ({times} times)")
        for said in found["said"]:
            if found["is_foreign"]:
                self._complain(path, said)
            else:
                self.said[said.partition(" ")[0]] += 1

    def _complain(self, path: Path, text: str) -> None:
        self.problems += 1
        print(f"PROBLEM {path}: {text}", flush=True)

    def report(self) -> Iterator[str]:
        """The lines that say it."""
        rate = self.lines / max(self.seconds, 1e-9)
        yield f"{self.files} files, {self.lines} lines, {self.data} bytes in {self.seconds:.0f} s"
        yield f"{rate:.0f} lines a second; {self.no_python} files are no Python of this version"
        yield f"{self.unread} files are Python that LibCST does not read, and are said to be"
        yield f"{self.foreign} files without TensorFlow; findings in the others: {dict(self.said)}"
        for seconds, lines, path in reversed(self.slowest):
            yield f"  {seconds:.1f} s for {lines} lines: {path}"
        yield f"{self.problems} problems"


def files(folders: Sequence[Path]) -> Iterator[Path]:
    """All Python files below folders, in order."""
    for folder in folders:
        for path in sorted(folder.rglob("*.py")):
            if path.is_file():
                yield path.resolve()


def main(arguments: Sequence[str] | None = None) -> int:
    """Lint, and print what it gave."""
    parser = argparse.ArgumentParser(description="Lints every Python file below folders.")
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--seconds", type=float, default=60.0, help="the most for one file")
    parser.add_argument("--seen", type=Path, help="a file with the names of contents to pass over")
    parser.add_argument("--draw", type=float, default=1.0, help="which share of the files")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.serve:
        serve()
        return 0
    if options.seen is not None:
        options.seen.touch()
    seen = set(options.seen.read_text().split()) if options.seen is not None else set()
    tally = Tally()
    server = Server(options.seconds)
    dice = random.Random(0)
    try:
        for path in files(options.folders):
            data = path.read_bytes()
            name = digest(data)
            if dice.random() > options.draw or name in seen:
                continue
            before = tally.problems
            tally.add(path, data, server.lint(path))
            seen.add(name)
            if options.seen is not None and tally.problems == before:
                with options.seen.open("a") as log:
                    print(name, file=log)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
    finally:
        server.close()
    print("\n".join(tally.report()))
    return 1 if tally.problems else 0


if __name__ == "__main__":
    sys.exit(main())
