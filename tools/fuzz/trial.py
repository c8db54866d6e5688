"""Fixes a program and runs it before and after."""

from __future__ import annotations

import contextlib
import io
import json
import subprocess
import sys
import tempfile
import tokenize
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tfxla_lint.cli import main as tfxla_lint
from tools.fuzz.printed import first_difference

SERVER = Path(__file__).with_name("server.py")


@dataclass(frozen=True)
class Run:
    """How a program ended, and what it printed."""

    status: str
    output: str

    @property
    def failed(self) -> bool:
        return self.status != "ended"


class Server:
    """A process that has TensorFlow loaded, started when it is first needed."""

    def __init__(self, seconds: float = 60.0) -> None:
        self._seconds = seconds
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *error: object) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def run(self, folder: Path, *, same_draws: bool) -> Run:
        """Run `main.py` of a folder, in a process of its own."""
        process = self._process = self._process or subprocess.Popen(
            [sys.executable, str(SERVER)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert process.stdin is not None
        assert process.stdout is not None
        with tempfile.NamedTemporaryFile("r", encoding="utf-8", errors="replace") as output:
            request = {"folder": str(folder), "output": output.name, "seconds": self._seconds,
                       "same_draws": same_draws}  # fmt: skip
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
            answer = process.stdout.readline()
            if not answer:
                raise SystemExit("TensorFlow cannot be loaded here")
            return Run(json.loads(answer)["status"], output.read())


@dataclass
class Trial:
    """What became of one program in one mode of fixing.

    `fixed` counts fixes by code. `problems` are what must never be; `difference` is what the fixed
    program does otherwise, `failed` how the original ended where it did not come to its end.
    """

    seed: int
    mode: str
    fixed: Counter[str] = field(default_factory=Counter)
    failed: str | None = None
    problems: list[str] = field(default_factory=list)
    difference: str | None = None


def fix(folder: Path, *, unsafe: bool, select: Sequence[str] = ()) -> Counter[str]:
    """Fix the files of a folder in place, by the rules `select` besides; the fixes by code."""
    more = [word for code in select for word in ("--extend-select", code)]
    answer = _tool("--fix", *(["--unsafe-fixes"] if unsafe else []), *more, folder=folder)
    return Counter(answer["summary"]["fixed"])


def _tool(*arguments: str, folder: Path) -> dict[str, Any]:
    printed = io.StringIO()
    with (
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(io.StringIO()),
        contextlib.suppress(SystemExit),
    ):
        tfxla_lint([*arguments, "--output-format", "json", "--exit-zero", str(folder)])
    answer: dict[str, Any] = json.loads(printed.getvalue())
    return answer


def write(folder: Path, files: Mapping[str, str]) -> None:
    """Write a program to a folder, where its project begins."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "tfxla-lint.toml").touch()
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def read(folder: Path, names: Iterable[str]) -> dict[str, str]:
    """The text of files."""
    return {name: (folder / name).read_text(encoding="utf-8") for name in names}


def try_program(
    server: Server,
    seed: int,
    files: Mapping[str, str],
    modes: Iterable[str],
    keep: Path | None,
    select: Sequence[str] = (),
) -> list[Trial]:
    """Fix a program in each mode, `safe` or `unsafe`, and compare what it prints before and after."""
    runs: dict[tuple[str, bool], Run] = {}
    trials = []
    with tempfile.TemporaryDirectory() as temporary:
        place = Path(temporary)
        write(place / "before", files)

        def run(name: str, *, same_draws: bool) -> Run:
            if (name, same_draws) not in runs:
                runs[name, same_draws] = server.run(place / name, same_draws=same_draws)
            return runs[name, same_draws]

        def compared(name: str, *, same_draws: bool) -> str | None:
            before = run("before", same_draws=same_draws)
            return difference(before, run(name, same_draws=same_draws))

        for mode in modes:
            trial = Trial(seed, mode)
            trials.append(trial)
            write(place / mode, files)
            trial.fixed = fix(place / mode, unsafe=mode == "unsafe", select=select)
            texts = read(place / mode, files)
            if texts == files:
                continue
            trial.problems += _problems(files, texts)
            fix(place / mode, unsafe=mode == "unsafe", select=select)
            if read(place / mode, files) != texts:
                trial.problems.append("a second run changes something")
                write(place / mode, texts)
            original = run("before", same_draws=False)
            if original.failed:
                trial.failed = f"{original.status}: {_last_line(original)}"
                continue
            trial.difference = compared(mode, same_draws=False)
            if trial.difference is not None and mode == "unsafe":
                # Of an unsafe fix it is known that traces may draw other numbers.
                trial.difference = compared(mode, same_draws=True)
            if keep is not None and (trial.difference or trial.problems):
                _keep(keep / f"{mode}_{seed}", files, texts, trial)
    return trials


def _keep(place: Path, before: Mapping[str, str], after: Mapping[str, str], trial: Trial) -> None:
    write(place / "before", before)
    write(place / "after", after)
    said = "\n".join([*trial.problems, trial.difference or ""])
    (place / "difference.txt").write_text(said + "\n", encoding="utf-8")


def difference(before: Run, after: Run) -> str | None:
    """What a fixed program does otherwise, in words."""
    found = first_difference(before.output, after.output)
    if before.status != after.status:
        return f"{before.status}, then {after.status}: {_last_line(after)}"
    return f"- {found[0]}\n+ {found[1]}" if found is not None else None


def _last_line(run: Run) -> str:
    return run.output.strip().rpartition("\n")[2][:200]


def _problems(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    found = []
    for name, text in after.items():
        try:
            compile(text, name, "exec")
            lost = _comments(before[name]) - _comments(text)
        except (SyntaxError, tokenize.TokenError) as error:
            found.append(f"{name} does not parse any more: {error}")
        else:
            found += [f"{name} lost the comment {comment}" for comment in lost]
    return found


def _comments(text: str) -> Counter[str]:
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return Counter(token.string for token in tokens if token.type == tokenize.COMMENT)
