"""Tries the fixes on real projects: fixes copies of them and imports their modules before and after.

    python -m tools.try_corpus_fixes FOLDER... [--timeout 20] [--changed]

For each project (a folder) it applies `--fix --unsafe-fixes` to a copy and checks that each changed
file compiles and has all of its comments, that a second run changes nothing, that the same comes of
files in another order and of several worker processes, and that each module of a package (a folder with an
`__init__.py`) that can be imported from the copy can still be imported once it is fixed. Modules are
imported by processes of their own, forked where TensorFlow is loaded already, which end after
`--timeout` seconds; scripts, tests and `__main__` are not run. With `--changed` only modules whose
file was changed are imported. It prints a table and each problem, and exits with 1 if there was one.

Imported code is run: use it on projects that you trust.
"""

from __future__ import annotations

import argparse
import io
import json
import shutil
import subprocess
import sys
import tempfile
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tools.try_corpus import compiles, contents, run

#: Reads pairs of a folder and a module's name, one a line, and answers whether it can be imported.
_SERVER = """\
import importlib, json, os, signal, sys
answers = os.fdopen(os.dup(1), "w")
nowhere = os.open(os.devnull, os.O_RDWR)
for stream in (1, 2):
    os.dup2(nowhere, stream)
import tensorflow
for line in sys.stdin:
    folder, name = json.loads(line)
    child = os.fork()
    if child == 0:
        os.dup2(nowhere, 0)
        signal.alarm({timeout})
        sys.argv = [name]
        sys.path.insert(0, folder)
        try:
            importlib.import_module(name)
        except BaseException:
            os._exit(1)
        os._exit(0)
    answers.write(json.dumps(os.waitpid(child, 0)[1] == 0) + "\\n")
    answers.flush()
"""


@dataclass
class Trial:
    """What became of one project: how many of its modules could be imported, and what broke."""

    name: str
    files: int = 0
    changed: int = 0
    modules: int = 0
    before: int = 0
    after: int = 0
    problems: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Module:
    """A module of a package, and the folder from which it is imported."""

    path: Path
    folder: Path
    name: str


def modules(root: Path) -> Iterator[Module]:
    """The modules of the packages below a folder, but for tests and those that are to be run."""
    for path in sorted(root.rglob("*.py")):
        inside = path.relative_to(root).parts
        is_test = any(part.startswith("test") or part.endswith("_test.py") for part in inside)
        if is_test or path.stem in ("__main__", "setup", "conftest"):
            continue
        if (path.parent / "__init__.py").exists():
            folder = path.parent
            while (folder / "__init__.py").exists() and folder != root:
                folder = folder.parent
            parts = path.relative_to(folder).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            if name and all(part.isidentifier() for part in name.split(".")):
                yield Module(path, folder, name)


def importable(chosen: Iterable[Module], timeout: int) -> list[Module]:
    """Those of the modules that can be imported."""
    server = subprocess.Popen(
        [sys.executable, "-c", _SERVER.format(timeout=timeout)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=tempfile.gettempdir(),
    )
    assert server.stdin is not None
    assert server.stdout is not None
    found = []
    with server:
        for module in chosen:
            server.stdin.write(json.dumps([str(module.folder), module.name]) + "\n")
            server.stdin.flush()
            answer = server.stdout.readline()
            if not answer:
                raise SystemExit("TensorFlow cannot be imported here")
            if json.loads(answer):
                found.append(module)
    return found


def fix(copy: Path, *paths: Path, jobs: int = 1) -> dict[Path, bytes]:
    """Apply all fixes below a folder, or in some of its files; what its files then hold."""
    words = ["--fix", "--unsafe-fixes", "--exit-zero", "-q", "-j", str(jobs)]
    run(*words, *map(str, paths or [copy]))
    return contents(copy)


def lost_comments(before: bytes, after: bytes) -> list[str]:
    """Comments of Python code that are gone."""
    return list((_comments(before) - _comments(after)).elements())


def _comments(data: bytes) -> Counter[str]:
    try:
        tokens = list(tokenize.tokenize(io.BytesIO(data).readline))
    except (tokenize.TokenError, SyntaxError):
        return Counter()
    return Counter(token.string for token in tokens if token.type == tokenize.COMMENT)


def try_project(project: Path, timeout: int, only_changed: bool) -> Trial:
    """Fix a copy of a project, and compare what can be imported."""
    trial = Trial(project.name)
    with tempfile.TemporaryDirectory() as temporary:
        old, copy = Path(temporary) / "old" / project.name, Path(temporary) / "new" / project.name
        other = Path(temporary) / "other" / project.name
        for place in (old, copy, other):
            shutil.copytree(project, place, symlinks=True, ignore=shutil.ignore_patterns(".git"))
            # By its `.git` the tool knows where a project begins.
            (place / ".git").touch()
        before = contents(copy)
        after = fix(copy)
        changed = {path.relative_to(copy) for path, data in after.items() if data != before[path]}
        trial.files, trial.changed = len(before), len(changed)
        for path, data in fix(other, *reversed(contents(other)), jobs=2).items():
            inside = path.relative_to(other)
            if data != after[copy / inside]:
                trial.problems.append(f"{inside} depends on order or workers")
            for comment in lost_comments(before[copy / inside], data):
                trial.problems.append(f"{inside} lost the comment {comment}")
        for path, data in fix(copy).items():
            inside = path.relative_to(copy)
            if inside in changed and compiles(path, before[path]) and not compiles(path, data):
                trial.problems.append(f"{inside} does not compile any more")
            if data != after[path]:
                trial.problems.append(f"a second run changes {inside}")
        chosen = [m for m in modules(old) if not only_changed or m.path.relative_to(old) in changed]
        trial.modules = len(chosen)
        could = importable(chosen, timeout)
        names = {(module.path.relative_to(old), module.name) for module in could}
        again = [m for m in modules(copy) if (m.path.relative_to(copy), m.name) in names]
        can = importable(again, timeout)
        trial.before, trial.after = len(could), len(can)
        trial.problems += [f"{m.name} cannot be imported any more" for m in again if m not in can]
    return trial


def report(trials: list[Trial]) -> None:
    """Print the table and the problems."""
    print("| project | files | fixed | modules | imported before | of these after |")
    print("|---|---|---|---|---|---|")
    for t in trials:
        print(f"| {t.name} | {t.files} | {t.changed} | {t.modules} | {t.before} | {t.after} |")
    sums = [sum(getattr(t, key) for t in trials) for key in ("files", "changed", "modules")]
    sums += [sum(t.before for t in trials), sum(t.after for t in trials)]
    print(f"| all | {' | '.join(map(str, sums))} |")
    for trial in trials:
        for problem in trial.problems:
            print(f"PROBLEM {trial.name}: {problem}")


def main() -> int:
    parser = argparse.ArgumentParser(description="Tries the fixes on copies of real projects.")
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--timeout", type=int, default=20, help="seconds for one import")
    parser.add_argument("--changed", action="store_true", help="import changed modules only")
    options = parser.parse_args()
    trials = [try_project(f.resolve(), options.timeout, options.changed) for f in options.folders]
    report(trials)
    return 1 if any(trial.problems for trial in trials) else 0


if __name__ == "__main__":
    sys.exit(main())
