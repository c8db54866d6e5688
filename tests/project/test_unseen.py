"""Which files may run as nothing in sight says: what others name, or find by another path."""

from __future__ import annotations

from pathlib import Path

import pytest

from tfxla_lint.project.layout import Layout
from tfxla_lint.project.projects import Known, Project

OPS = "import tensorflow as tf\n\n\ndef rate():\n    return tf.constant(1.0)\n"
PACKAGE = {"pk/__init__.py": "", "pk/ops.py": OPS}


class Kept:
    """Keeps what was found out of one project."""

    def __init__(self) -> None:
        self.known = Known()

    def recall(self, root: Path) -> Known:
        return self.known

    def keep(self, root: Path, known: Known) -> None:
        self.known = known


def project(folder: Path, files: dict[str, str], memory: Kept | None = None) -> Project:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    paths = [folder / name for name in files]
    return Project.of(
        folder, paths, memory, lambda path: path.name.startswith(("test_", "conftest"))
    )


@pytest.mark.parametrize(
    ("code", "is_unseen"),
    [
        ("import pk.ops\n", False),
        ("load('.ops', 'pk')\n", True),
        ("load('pk.ops')\n", True),
        ("load('pk.ops.rate')\n", True),
        ("load('pk.ops:rate')\n", True),
        ("load('ops.rate')\n", True),
        ("load('other.ops.rate')\n", False),
        ("load('ops.h5')\n", False),
        ("load('ops')\n", False),
        ("timeit('rate()', setup='from pk.ops import rate')\n", True),
    ],
)
def test_what_a_text_names(tmp_path: Path, code: str, is_unseen: bool) -> None:
    found = project(tmp_path, {**PACKAGE, "main.py": code})
    assert ("pk/ops.py" in found.run_unseen) is is_unseen


def test_a_package_that_is_run_by_its_name(tmp_path: Path) -> None:
    files = {"app/__init__.py": "", "app/__main__.py": OPS, "main.py": "run_module('app')\n"}
    assert "app/__main__.py" in project(tmp_path, files).run_unseen


@pytest.mark.parametrize("start", ["core", "docs"])
def test_a_path_that_is_changed_before_an_import(tmp_path: Path, start: str) -> None:
    """What is changed counts for who imports it, and not for all of the project."""
    files = {
        "core/paths.py": "import sys\n\nsys.path.insert(0, PLACE)\n",
        "docs/paths.py": "import sys\n\nsys.path.insert(0, PLACE)\n",
        "core/main.py": f"import {start}.paths\nimport ops\n"
        if start == "core"
        else "import ops\n",
        "core/ops.py": OPS,
        "other/ops.py": OPS,
    }
    assert ("other/ops.py" in project(tmp_path, files).run_unseen) is (start == "core")


def test_an_import_may_mean_what_lies_above_or_beside(tmp_path: Path) -> None:
    files = {"sub/main.py": "import ops\n", "sub/ops.py": OPS, "ops.py": OPS}
    assert {"ops.py", "sub/ops.py", "sub/main.py"} <= project(tmp_path, files).run_unseen


def test_what_tests_find_by_a_path_of_theirs(tmp_path: Path) -> None:
    files = {
        "tests/conftest.py": "import sys\n\nsys.path.insert(0, PLACE)\n",
        "tests/test_ops.py": "import ops\n",
        "a/core/ops.py": OPS,
        "b/main.py": "print(1)\n",
    }
    assert project(tmp_path, files).run_unseen == {"a/core/ops.py"}


def test_what_tests_start(tmp_path: Path) -> None:
    files = {"test_all.py": "run(['python', 'ops.py'])\n", "ops.py": OPS, "main.py": ""}
    assert project(tmp_path, files).outlived == {"ops.py"}


def test_a_module_goes_before_a_folder_without_a_file(tmp_path: Path) -> None:
    files = {"main.py": "import ops\n", "ops.py": OPS, "ops/more.py": OPS}
    assert project(tmp_path, files).by_file["ops.py"] == ("main.py", "ops.py")


@pytest.mark.parametrize(("place", "is_unseen"), [("core", True), ("train", False)])
def test_a_package_in_several_folders(tmp_path: Path, place: str, is_unseen: bool) -> None:
    ops = f"packages/{place}/acme/core/ops.py"
    files = {
        "packages/train/acme/train/main.py": "from acme.core import ops\n",
        "packages/other/acme/other/main.py": "print(1)\n",
        ops: OPS,
    }
    assert (ops in project(tmp_path, files).run_unseen) is is_unseen


def test_a_module_that_is_called_as_one_of_pythons(tmp_path: Path) -> None:
    files = {"trace.py": OPS, "apps/__init__.py": "", "apps/main.py": "import trace\n"}
    assert project(tmp_path, files).run_unseen == {"trace.py"}


def test_all_that_a_package_gives_are_modules_too(tmp_path: Path) -> None:
    files = {
        "pk/__init__.py": "__all__ = [\n    'ops',\n]\n",
        "pk/ops.py": OPS,
        "main.py": "from pk import *\n",
    }
    assert "main.py" in project(tmp_path, files).by_file["pk/ops.py"]


def test_it_is_not_looked_for_again_where_files_import_and_run_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {**PACKAGE, "main.py": "load('pk.ops')\n", "test_pk.py": "run(['python', 'main.py'])\n"}
    memory = Kept()
    before = project(tmp_path, files, memory)
    assert before.loaded == {"pk/ops.py"}
    assert before.started == {"main.py"}
    with monkeypatch.context() as patch:
        patch.delattr(Layout, "loaded")
        patch.delattr(Layout, "started")
        files["main.py"] += "print(1)\n"
        files["test_pk.py"] += "print(1)\n"
        again = project(tmp_path, files, memory)
    assert again.digests != before.digests
    assert (again.loaded, again.started) == (before.loaded, before.started)
    files["main.py"] = "print(1)\n"
    assert project(tmp_path, files, memory).loaded == set()
    files["test_pk.py"] = "print(1)\n"
    assert project(tmp_path, files, memory).started == set()
    files["test_pk.py"] = "load('pk.ops')\n"
    assert project(tmp_path, files, memory).loaded == {"pk/ops.py"}


def test_programs_are_what_nothing_imports(tmp_path: Path) -> None:
    files = {
        "lib.py": OPS,
        "a.py": "import lib\n",
        "b.py": "import lib\n",
        "test_a.py": "import b\n",
    }
    assert project(tmp_path, files).programs == {"a.py"}
