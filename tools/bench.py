"""Measures this tool beside its kin, on the same files in one run.

    python -m tools.bench [--packages FOLDER] [--files N] [--sample N] [--runs N] [--venv FOLDER]
        [--write docs/performance]

Installs LibCST, TorchFix, Fixit, flake8, pylint and ruff into an environment of its own, lays out five
cases (files of installed packages, a hook's three files of a project of 600 and of a hundred that all
belong together, one file of 10,000 lines, a folder of notebooks), and lets each tool work on each case,
one after the other, several times. Of a hook's files all three are changed before each of some runs,
while what is kept of the others stays.
It prints seconds of CPU with their spread, the ratio to LibCST's parse of the files that name
TensorFlow, and peak memory, and how this tool's cost grows with the files. `--write` puts the tables
into the page and draws the plot beside it. Ratios of one run may be compared, seconds of two may not.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from shutil import copyfile

from tfxla_lint.project.scan import names_tensorflow
from tools.measure_growth import exponent, functions, loops

_TOOLS = ("libcst", "torchfix", "fixit", "flake8", "pylint", "ruff")
#: Where flake8 has no plug-in, beside the environment of all.
_PLAIN = "plain"
_PARSE = """\
import sys, libcst
for name in sys.stdin.read().split("\\n"):
    try:
        libcst.parse_module(open(name, "rb").read())
    except Exception:
        pass
"""
#: TorchFix looks at no file that does not say this.
_MARK = "# torch\n"
_STEP = """\
import tensorflow as tf
{imports}

def step_{i}(model, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y)) + {i}.0
    return tape.gradient(loss, model.trainable_variables)
"""

#: What is run after the files of a hook were changed.
_CHANGED = "tfxla-lint, changed files"


@dataclass
class Case:
    """A folder, and the files of it that are linted; `named` are those that name TensorFlow."""

    name: str
    root: Path
    files: list[Path]
    named: list[Path] = field(init=False)

    def __post_init__(self) -> None:
        """Find the files that concern this tool."""
        self.named = [path for path in self.files if names_tensorflow(path.read_bytes())]

    @property
    def told(self) -> str:
        """What there is of it."""
        lines = sum(path.read_bytes().count(b"\n") for path in self.files)
        return f"{len(self.files)} files, {lines} lines; {len(self.named)} name TensorFlow"


@dataclass
class Row:
    """What a tool took: seconds of CPU and of the clock for each run, and megabytes at its peak."""

    tool: str
    cpu: list[float] = field(default_factory=list)
    wall: list[float] = field(default_factory=list)
    peak: float = 0.0


def packages(folder: Path, root: Path, most: int) -> Case:
    """Files of installed packages, those first that name Keras or TensorFlow; never TensorFlow's."""
    found = [
        p for p in folder.iterdir() if (p / "__init__.py").is_file() and "tensor" not in p.name
    ]
    rows = [(sorted(package.rglob("*.py")), package.name) for package in found]
    rows.sort(key=lambda row: (-sum(names_tensorflow(p.read_bytes()) for p in row[0]), row[1]))
    chosen = [path for files, _ in rows for path in files][:most]
    files = []
    for path in chosen:
        place = root / path.relative_to(folder)
        place.parent.mkdir(parents=True, exist_ok=True)
        copyfile(path, place)
        files.append(place)
    return Case("packages", root, files)


def sample(case: Case, root: Path, most: int) -> Case:
    """Some of the files that name TensorFlow, marked so that TorchFix looks at each of them."""
    step = max(1, len(case.named) // most)
    files = []
    for i, path in enumerate(case.named[::step][:most]):
        place = root / f"sample_{i}.py"
        place.write_bytes(path.read_bytes() + b"\n" + _MARK.encode())
        files.append(place)
    return Case("sample", root, files)


def hook(root: Path) -> Case:
    """Three files of a project of 600, in groups of ten that import each other."""
    for i in range(600):
        imports = f"from part_{i - 1} import step_{i - 1}" if i % 10 else ""
        (root / f"part_{i}.py").write_text(_STEP.format(i=i, imports=imports) + _MARK)
    return Case("hook", root, [root / f"part_{i}.py" for i in (5, 305, 595)])


def together(root: Path) -> Case:
    """Three files of a hundred that import each other, each as long as files are."""
    for i in range(100):
        text = f"from part_{(i + 1) % 100} import step_0 as first\n" + functions(20)["main.py"]
        (root / f"part_{i}.py").write_text(f"{text}\n\nprint(first(x))\n{_MARK}")
    return Case("together", root, [root / f"part_{i}.py" for i in (5, 45, 85)])


def change(case: Case) -> None:
    """Change all files of a case."""
    for path in case.files:
        with path.open("a") as file:
            file.write(f"changed = {time.monotonic_ns()}\n")


def long_file(root: Path) -> Case:
    """One file of 10,000 lines."""
    text = functions(1_650)["main.py"] + loops(1)["main.py"]
    (root / "long.py").write_text("\n".join(text.splitlines()[:9_999]) + "\n" + _MARK)
    return Case("long", root, [root / "long.py"])


def notebooks(root: Path) -> Case:
    """A folder of notebooks with a training loop each."""
    source = loops(1)["main.py"].splitlines(keepends=True)
    cell: dict[str, object] = {"cell_type": "code", "outputs": [], "execution_count": None}
    cell["metadata"] = {}
    document = {"cells": [{**cell, "source": source}], "metadata": {}, "nbformat": 4}
    files = [root / f"notebook_{i}.ipynb" for i in range(40)]
    for path in files:
        path.write_text(json.dumps({**document, "nbformat_minor": 5}))
    return Case("notebooks", root, files)


def commands(case: Case, bin_: Path) -> dict[str, tuple[list[str], str]]:
    """What is run on a case, and what it reads from standard input, by the tool's name."""
    ours = [sys.executable, "-m", "tfxla_lint"]
    names = ["."] if len(case.files) > 3 else [str(path) for path in case.files]
    rows = {
        "LibCST's parse": [str(bin_ / "python"), "-c", _PARSE],
        "tfxla-lint, one core": [*ours, "--no-cache", "-j", "1", "-q", *names],
        "tfxla-lint, all cores": [*ours, "--no-cache", "-q", *names],
        "tfxla-lint, cached": [*ours, "-q", *names],
        "ruff": [str(bin_ / "ruff"), "check", "--isolated", "--no-cache", "-q", *names],
        "ruff, cached": [str(bin_ / "ruff"), "check", "--isolated", "-q", *names],
    }
    if case.name in ("hook", "together"):
        rows[_CHANGED] = rows["tfxla-lint, cached"]
    if case.name in ("sample", "hook", "together", "long"):
        plain = bin_.parent / _PLAIN / "bin" / "flake8"
        files = ["--isolated", "-j", "1", *map(str, case.files)]
        rows["flake8"] = [str(plain), *files]
        rows["flake8 with TorchFix"] = [str(bin_ / "flake8"), "--select=TOR", *files]
        rows["TorchFix"] = [str(bin_ / "torchfix"), "--select=ALL", *map(str, case.files)]
        rows["Fixit"] = [str(bin_ / "fixit"), "lint", *map(str, case.files)]
        rows["pylint, errors only"] = [str(bin_ / "pylint"), "-E", "-j", "1", *map(str, case.files)]
    if case.name == "notebooks":
        del rows["LibCST's parse"]
    given = "\n".join(map(str, case.named))
    return {name: (row, given if "parse" in name else "") for name, row in rows.items()}


def measure(case: Case, bin_: Path, runs: int) -> list[Row]:
    """All tools on one case, in turn, so that what else the machine does falls on all of them."""
    told = commands(case, bin_)
    rows = {name: Row(name) for name in told}
    for name in (name for name in told if "cached" in name):
        _run(told[name], case.root)
    for _ in range(runs):
        for name, command in told.items():
            if name == _CHANGED:
                change(case)
            cpu, wall, peak = _run(command, case.root)
            rows[name].cpu.append(cpu)
            rows[name].wall.append(wall)
            rows[name].peak = max(rows[name].peak, peak)
    return list(rows.values())


def _run(command: tuple[list[str], str], folder: Path) -> tuple[float, float, float]:
    """Seconds of CPU, of the clock, and megabytes of the largest process."""
    # Who installs a package has its bytecode, and so must who runs a checkout.
    unset = ("TFXLA_LINT_NO_CACHE", "PYTHONDONTWRITEBYTECODE")
    environment = {k: v for k, v in os.environ.items() if k not in unset}
    with tempfile.TemporaryFile() as given:
        given.write(command[1].encode())
        given.seek(0)
        start = time.perf_counter()
        process = subprocess.Popen(
            ["/bin/sh", "-c", 'exec "$@"', "sh", *command[0]],
            cwd=folder,
            env=environment,
            stdin=given,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode > 1:
        print(f"status {process.returncode}:", *command[0][:5], file=sys.stderr)
    return used.ru_utime + used.ru_stime, time.perf_counter() - start, used.ru_maxrss / 1024


def growth(case: Case, sizes: Sequence[int], root: Path) -> list[tuple[int, float]]:
    """Lines and seconds of CPU, cold and on one core, for more and more files of a case."""
    found = []
    for size in sizes:
        folder = root / str(size)
        chosen = set(case.files[:size])
        for path in chosen:
            place = folder / path.relative_to(case.root)
            place.parent.mkdir(parents=True, exist_ok=True)
            copyfile(path, place)
        lines = sum(
            path.read_bytes().count(b"\n") for path in case.named if path in case.files[:size]
        )
        command = [sys.executable, "-m", "tfxla_lint", "--no-cache", "-j", "1", "-q", "."]
        found.append((lines, _run((command, ""), folder)[0]))
    return found


def table(case: Case, rows: Sequence[Row]) -> Iterator[str]:
    """The rows of a case in Markdown."""
    base = next((row.cpu for row in rows if "parse" in row.tool), None)
    yield f"### {case.name}: {case.told}\n"
    yield "| tool | CPU, s | to | of the parse | clock, s | peak, MB |"
    yield "|---|---:|---:|---:|---:|---:|"
    for row in rows:
        # The runs of all tools follow one another, so that each has its own parse to compare with.
        ratios = [own / parse for own, parse in zip(row.cpu, base or (), strict=False)]
        ratio = f"{min(ratios):.2f} to {max(ratios):.2f}" if ratios else ""
        cells = (f"{min(row.cpu):.2f}", f"{max(row.cpu):.2f}", ratio)
        yield f"| {row.tool} | {' | '.join(cells)} | {min(row.wall):.2f} | {row.peak:.0f} |"
    yield ""


def plot(case: Case, rows: Sequence[Row]) -> str:
    """Bars of the seconds of CPU, as SVG."""
    longest = max(min(row.cpu) for row in rows)
    height = 30 * len(rows) + 40
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="760" height="{height}" '
        f'font-family="sans-serif" font-size="13"><text x="8" y="20">CPU seconds, {case.told}</text>'
    ]
    for i, row in enumerate(sorted(rows, key=lambda row: min(row.cpu))):
        y, width = 30 * i + 34, max(1.0, 460 * min(row.cpu) / longest)
        colour = "#e8710a" if row.tool.startswith("tfxla") else "#8ab4f8"
        parts.append(f'<text x="190" y="{y + 15}" text-anchor="end">{row.tool}</text>')
        parts.append(f'<rect x="200" y="{y}" width="{width:.0f}" height="20" fill="{colour}"/>')
        parts.append(f'<text x="{206 + width:.0f}" y="{y + 15}">{min(row.cpu):.2f}</text>')
    return "\n".join([*parts, "</svg>\n"])


def environment(folder: Path) -> Path:
    """The programs of an environment that has the other tools; it is made where it is missing."""
    bin_ = folder / "bin"
    if not (bin_ / "ruff").exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        subprocess.run([str(bin_ / "pip"), "install", "-q", *_TOOLS], check=True)
    plain = folder / _PLAIN
    if not (plain / "bin" / "flake8").exists():
        subprocess.run([sys.executable, "-m", "venv", str(plain)], check=True)
        subprocess.run([str(plain / "bin" / "pip"), "install", "-q", "flake8"], check=True)
    return bin_


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the tables, and write them where that is asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--packages", type=Path, default=Path(sysconfig.get_paths()["purelib"]))
    parser.add_argument("--files", type=int, default=2_000)
    parser.add_argument("--sample", type=int, default=150)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--venv", type=Path)
    parser.add_argument("--write", type=Path, help="the page and the plot, without their endings")
    asked = parser.parse_args(arguments)
    out: list[str] = []
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch).resolve()
        bin_ = environment(asked.venv or root / "venv")
        for name in ("packages", "sample", "hook", "together", "long", "notebooks"):
            (root / name).mkdir()
            (root / name / "pyproject.toml").touch()
        every = packages(asked.packages, root / "packages", asked.files)
        few = sample(every, root / "sample", asked.sample)
        hooks = [hook(root / "hook"), together(root / "together")]
        cases = [every, few, *hooks, long_file(root / "long"), notebooks(root / "notebooks")]
        for case in cases:
            rows = measure(case, bin_, asked.runs)
            drawn = plot(case, rows) if case is few else ""
            out += table(case, rows)
            print(*table(case, rows), sep="\n", flush=True)
            if drawn and asked.write is not None:
                asked.write.with_suffix(".svg").write_text(drawn)
        sizes = [asked.files // 8, asked.files // 4, asked.files // 2]
        grown = growth(every, sizes, root / "growth")
        slope = exponent([lines for lines, _ in grown], [seconds for _, seconds in grown])
        told = ", ".join(f"{seconds:.1f} s for {lines}" for lines, seconds in grown)
        out.append(f"With the lines of files that name TensorFlow: {told}; growth N^{slope:.2f}.")
        print(out[-1])
        own = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        print(f"All of it took {own:.0f} s of CPU.")
    if asked.write is not None:
        page = asked.write.with_suffix(".md")
        text = page.read_text("utf-8") if page.exists() else "# Performance\n\n<!-- bench -->\n"
        head = text.partition("<!-- bench -->")[0]
        page.write_text(f"{head}<!-- bench -->\n\n" + "\n".join(out) + "\n", "utf-8")


if __name__ == "__main__":
    main()
