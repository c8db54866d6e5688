"""Tries the tool on each supported Python, with the oldest and newest packages, and on TensorFlows.

    python -m tools.matrix packages [--python PATH ...] [--packages oldest newest]
    python -m tools.matrix tensorflow [--python PATH ...] [--versions 2.12 ...] [--each]

`packages` installs the tool with each package at the lower bound that `pyproject.toml` names, then
with the newest, without an index once they are downloaded; it lints, fixes and runs the quick tests
there. `tensorflow` installs a TensorFlow for the CPU and lets this tool verify two rewrites of a small
program by that interpreter, a right and a wrong one. Each version is tried on one of the Pythons that
it is there for, the oldest and the newest by turns; with `--each` on all of them. There is one
environment at a time, and none in the end.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[1]
PYTHONS = ("3.10", "3.11", "3.12", "3.13", "3.14")
TENSORFLOWS = tuple(f"2.{minor}" for minor in range(12, 22))
#: What the quick tests need, which is no need of the tool.
_TESTING = ("pytest", "hypothesis", "setuptools>=68")
QUICK = (
    "tests/test_linter.py",
    "tests/test_fixer.py",
    "tests/test_suppressions.py",
    "tests/test_settings.py",
    "tests/test_discovery.py",
    "tests/test_reporters.py",
    "tests/test_reports_for_tools.py",
    "tests/test_workers.py",
    "tests/rules/test_testdata.py",
)
_PROGRAM = """\
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(2, kernel_initializer="ones")])
optimizer = tf.keras.optimizers.SGD(0.01)
x = tf.reshape(tf.range(12.0), [4, 3])


def step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - 1.0))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


model(x)
for _ in range(3):
    print(float(step(x)))
"""
_FASTER = _PROGRAM.replace("def step", "@tf.function\ndef step")
_WRONG = _FASTER.replace("- 1.0", "- 1.1")


class Failed(Exception):
    """A step of a trial went wrong."""


def oldest(requirement: str) -> str:
    """The requirement at its lower bound alone."""
    parsed = Requirement(requirement)
    (bound,) = (s.version for s in parsed.specifier if s.operator == ">=")
    marker = f"; {parsed.marker}" if parsed.marker else ""
    return f"{parsed.name}=={bound}{marker}"


def needs() -> list[str]:
    """What the tool needs to run, its extras but TensorFlow and the site among it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    return [*project["dependencies"], *extras["server"], *extras["mcp"]]


def interpreters(given: Sequence[str]) -> dict[str, str]:
    """The supported Pythons that are here, by version."""
    found: dict[str, str] = {}
    for path in given or [f"python{version}" for version in PYTHONS]:
        code = "import sys; print('%d.%d' % sys.version_info[:2])"
        if shutil.which(path):
            done = subprocess.run([path, "-I", "-c", code], capture_output=True, text=True)
            if done.stdout.strip() in PYTHONS:
                found[done.stdout.strip()] = path
    return found


def run(
    words: Sequence[str | Path], cwd: Path = ROOT, status: int = 0
) -> subprocess.CompletedProcess[str]:
    """Run a command, which has to end with a status."""
    environment = {**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1", "TFXLA_LINT_NO_CACHE": "1"}
    # What the site pins is not what is tried here.
    environment["PIP_CONSTRAINT"] = ""
    done = subprocess.run(
        [str(word) for word in words], cwd=cwd, env=environment, capture_output=True, text=True
    )
    if done.returncode != status:
        said = (done.stdout + done.stderr).strip()[-1500:]
        raise Failed(f"{' '.join(map(str, words))} ended with {done.returncode}:\n{said}")
    return done


class Trial:
    """An environment in a folder that goes away."""

    def __init__(self, python: str, folder: Path) -> None:
        self.folder = folder
        run([python, "-m", "venv", folder / "env"])
        self.python = folder / "env" / ("Scripts" if os.name == "nt" else "bin") / "python"

    def pip(self, *words: str | Path) -> None:
        """Run pip."""
        run([self.python, "-m", "pip", *words])

    def versions(self) -> dict[str, str]:
        """What is installed."""
        lines = run([self.python, "-m", "pip", "list", "--format", "freeze"]).stdout.splitlines()
        pairs = (line.split("==", 1) for line in lines if "==" in line)
        return {canonicalize_name(name): version for name, version in pairs}


def try_packages(trial: Trial, which: str, wheel: Path, tests: Sequence[str]) -> str:
    """Install from files alone, lint, fix, and run the quick tests on what is installed."""
    asked = [oldest(need) if which == "oldest" else need for need in needs()]
    store = trial.folder / "store"
    trial.pip("download", "-q", "-d", store, *asked, *_TESTING)
    offline = ("install", "-q", "--no-index", "--find-links", store)
    trial.pip(*offline, f"{wheel}[server,mcp]", *asked)
    _smoke(trial)
    trial.pip(*offline, *_TESTING)
    # The tests are those of the tree, what they test is what was installed.
    tree = trial.folder / "tree"
    shutil.copytree(ROOT / "tests", tree / "tests")
    for name in ("testdata", "docs"):
        (tree / name).symlink_to(ROOT / name)
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, tree)
    done = run([trial.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests], tree)
    versions = trial.versions()
    names = [Requirement(need).name for need in needs()]
    told = ", ".join(f"{name} {versions[name]}" for name in names if name in versions)
    return f"{told}: {done.stdout.strip().splitlines()[-1].strip('= ')}"


def _smoke(trial: Trial) -> None:
    """The commands of the README, and a fix."""
    place = trial.folder / "project"
    shutil.copytree(ROOT / "testdata" / "programs" / "mlp_inline", place)
    tool = trial.python.with_name("tfxla-lint")
    run([tool, "--version"], place)
    run([tool, "--isolated", "train.py"], place, status=1)
    before = (place / "train.py").read_text("utf-8")
    run([tool, "--isolated", "--exit-zero", "--fix", "--unsafe-fixes", "train.py"], place)
    if (place / "train.py").read_text("utf-8") == before:
        raise Failed("--fix changed nothing")
    for command in ("server", "mcp"):
        run([tool, command, "--help"], place)


def try_tensorflow(trial: Trial, version: str) -> str:
    """Install a TensorFlow, and verify a right and a wrong rewrite by its interpreter."""
    trial.pip("install", "-q", "--no-cache-dir", f"tensorflow-cpu=={version}.*")
    sides = {"old.py": _PROGRAM, "right.py": _FASTER, "wrong.py": _WRONG}
    for name, text in sides.items():
        (trial.folder / name).write_text(text, "utf-8")
    tool = [sys.executable, "-I", "-m", "tfxla_lint"]
    python = ["--python", str(trial.python)]
    for name, status, words in (("right.py", 0, "equivalent"), ("wrong.py", 1, "differs")):
        both = ["--original", "old.py", "--rewritten", name]
        done = run([*tool, "verify", *python, *both], trial.folder, status)
        if words not in done.stdout:
            raise Failed(f"{name} is not said to be {words}:\n{done.stdout}")
    run([*tool, "profile", *python, "-o", "p.json", "--", "old.py"], trial.folder)
    found = trial.versions()
    keras = found.get("keras", "none")
    return f"TensorFlow {found['tensorflow-cpu']}, Keras {keras}, NumPy {found['numpy']}"


def served(python: str, version: str) -> bool:
    """Whether the index has a TensorFlow for a Python."""
    words = [python, "-m", "pip", "index", "versions", "tensorflow-cpu"]
    done = subprocess.run(words, capture_output=True, text=True)
    return bool(re.search(rf"\b{re.escape(version)}\.\d", done.stdout))


def plan_of(options: argparse.Namespace) -> Iterator[tuple[str, str, str]]:
    """The Python, its path, and what is tried on it."""
    pythons = interpreters(options.python)
    for version in sorted(set(PYTHONS) - set(pythons)) if not options.python else ():
        print(f"Python {version}: not on this machine", flush=True)
    if options.what == "packages":
        for version, path in pythons.items():
            yield from ((version, path, which) for which in options.packages)
        return
    for number, wanted in enumerate(options.versions):
        fitting = [(v, path, wanted) for v, path in pythons.items() if served(path, wanted)]
        if not fitting:
            print(f"TensorFlow {wanted}: not to be had for these Pythons", flush=True)
        yield from fitting if options.each else fitting[-1 if number % 2 else 0 :][:1]


def main() -> int:
    """Try all, and say how each went."""
    parser = argparse.ArgumentParser(description="Try the tool on Pythons and TensorFlows.")
    parser.add_argument("what", choices=("packages", "tensorflow"))
    parser.add_argument("--python", nargs="*", default=(), help="paths of interpreters")
    parser.add_argument("--packages", nargs="*", default=("oldest", "newest"))
    parser.add_argument("--versions", nargs="*", default=TENSORFLOWS)
    parser.add_argument("--each", action="store_true", help="each version on every Python")
    parser.add_argument("--tests", nargs="*", default=QUICK, help="the tests that are quick")
    options = parser.parse_args()
    failures = 0
    with tempfile.TemporaryDirectory() as built:
        if options.what == "packages":
            run([sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", built, str(ROOT)])
        for python, path, what in plan_of(options):
            started = time.monotonic()
            with tempfile.TemporaryDirectory(prefix="matrix-") as folder:
                try:
                    trial = Trial(path, Path(folder))
                    if options.what == "packages":
                        told = try_packages(
                            trial, what, next(Path(built).glob("*.whl")), options.tests
                        )
                    else:
                        told = try_tensorflow(trial, what)
                except Failed as error:
                    failures += 1
                    told = f"FAILED: {error}"
            seconds = time.monotonic() - started
            print(f"Python {python}, {what} ({seconds:.0f} s): {told}", flush=True)
    print(f"{failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
