"""The wheel, built from the sdist, holds every module and every data file of the tree."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PARTS = ("tfxla_lint", "rules", "pyproject.toml", "setup.py", "README.md", "LICENSE")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if importlib.util.find_spec("build") is None:
        pytest.skip("the package build is not installed")
    folder = tmp_path_factory.mktemp("packaging")
    tree = folder / "tree"
    tree.mkdir()
    for part in PARTS:
        source = ROOT / part
        if source.is_dir():
            ignore = shutil.ignore_patterns("__pycache__", "*.pyc")
            shutil.copytree(source, tree / part, ignore=ignore)
        else:
            shutil.copy(source, tree / part)
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(tree)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return next(folder.glob("*.whl"))


def test_the_wheel_holds_the_tree(wheel: Path) -> None:
    expected = {path.relative_to(ROOT).as_posix() for path in (ROOT / "tfxla_lint").rglob("*.py")}
    expected |= {
        f"tfxla_lint/{path.relative_to(ROOT).as_posix()}" for path in (ROOT / "rules").rglob("*.py")
    }
    knowledge = ROOT / "tfxla_lint" / "knowledge"
    expected |= {path.relative_to(ROOT).as_posix() for path in knowledge.glob("*.json")}
    expected |= {"tfxla_lint/py.typed", "tfxla_lint/__init__.pyi"}
    names = set(zipfile.ZipFile(wheel).namelist())
    assert expected - names == set()
    inside = {name for name in names if name.startswith("tfxla_lint/")}
    assert inside - expected == set()
