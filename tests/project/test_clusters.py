"""Clusters hold the files that see each other's calls, and depend on the project alone."""

from __future__ import annotations

import pytest

from tfxla_lint.project import clusters as room
from tfxla_lint.project.clusters import clusters
from tfxla_lint.project.layout import Layout
from tfxla_lint.project.scan import scan

TF = "import tensorflow as tf\n"


def found(files: dict[str, str]) -> dict[str, tuple[str, ...]]:
    return clusters(Layout(files), {name: scan(text.encode()) for name, text in files.items()})


def test_a_loop_and_its_step_belong_together() -> None:
    files = {"steps.py": TF, "train.py": "from steps import step\n", "other.py": TF}
    assert found(files) == {
        "steps.py": ("steps.py", "train.py"),
        "train.py": ("steps.py", "train.py"),
    }


def test_chains_through_packages_belong_together() -> None:
    files = {
        "pkg/__init__.py": "from .steps import step\n",
        "pkg/steps.py": TF,
        "train.py": "import pkg\n",
        "main.py": "if True:\n    import train\n",
    }
    assert set(found(files)["main.py"]) == set(files)


def test_helpers_without_tensorflow_join_but_do_not_tie() -> None:
    files = {
        "a.py": TF + "import paths\n",
        "b.py": TF + "import paths\n",
        "paths.py": "ROOT = '.'\n",
    }
    assert found(files) == {"a.py": ("a.py", "paths.py"), "b.py": ("b.py", "paths.py")}


def test_files_without_tensorflow_stay_out() -> None:
    assert found({"a.py": "import b\n", "b.py": "x = 1\n"}) == {}


def test_files_that_only_have_words_for_tensorflow_stay_out() -> None:
    words = '"""What keras users ask for."""\nKNOWN = ["tensorflow"]  # and keras\nimport b\n'
    files = {"a.py": words, "b.py": "x = 1\n", "c.py": "import a\n"}
    assert found(files) == {}
    assert set(found(files | {"c.py": TF + "import a\n"})["a.py"]) == set(files)


def test_a_large_cluster_is_cut_along_folders(monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        "one/a.py": TF + "from one import b\n",
        "one/b.py": TF + "from two import c\n",
        "two/c.py": TF + "from two import d\n",
        "two/d.py": TF,
    }
    assert len(set(found(files).values())) == 1
    monkeypatch.setattr(room, "LARGEST_CLUSTER", 120)
    assert set(found(files).values()) == {("one/a.py", "one/b.py"), ("two/c.py", "two/d.py")}


@pytest.mark.parametrize(
    ("text", "imports"),
    [
        ("import a.b as c, d\n", ("a.b", "d")),
        ("from .x import (\n    y,  # why\n    z as w,\n)\n", (".x", ".x.y", ".x.z")),
        ("def f():\n    from . import y\n", (".", ".y")),
        ("from a import *\n", ("a",)),
        ("# import a\nx = 'import b'\n", ()),
    ],
)
def test_scan_reads_imports(text: str, imports: tuple[str, ...]) -> None:
    assert scan(text.encode()).imports == imports
