"""What runs inside other interpreters stands alone: neither the tool nor its needs are there."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2] / "tfxla_lint"
#: The folders, and what their modules may import beside the standard library.
FOLDERS = {
    "sandbox/inside": ("tfxla_lint.sandbox.inside", "numpy", "tensorflow"),
    "verify/worker": (
        "tfxla_lint.verify.worker",
        "tfxla_lint.sandbox.inside",
        "numpy",
        "tensorflow",
        # TensorFlow asks for it.
        "h5py",
    ),
    "profile/recorder": (
        "tfxla_lint.profile.recorder",
        "tfxla_lint.sandbox.inside.overlay",
        "tfxla_lint.sandbox.inside.seeds",
        "tfxla_lint.recording",
        "numpy",
    ),
}
FILES = [(folder, path) for folder in FOLDERS for path in sorted((ROOT / folder).glob("*.py"))]


def test_the_folders_hold_code() -> None:
    assert {folder for folder, _ in FILES} == set(FOLDERS)


@pytest.mark.parametrize(("folder", "path"), FILES, ids=lambda part: str(part).rpartition("/")[2])
def test_it_needs_nothing_of_the_tool(folder: str, path: Path) -> None:
    """Python 3.8 reads it, and it imports what every interpreter with TensorFlow has."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"), feature_version=(3, 8))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            is_known = name.partition(".")[0] in sys.stdlib_module_names
            may = any(f"{name}.".startswith(f"{known}.") for known in FOLDERS[folder])
            assert is_known or may, f"{path.name}: {name}"
