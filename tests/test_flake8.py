"""The plug-in for flake8, run by flake8 itself as it is registered."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

pytestmark = pytest.mark.skipif(find_spec("flake8") is None, reason="flake8 is not installed")

ROOT = Path(__file__).parents[1]
#: A removed name, the same silenced, and what an opt-in rule reports.
CODE = """\
import tensorflow as tf

print(tf.log(2.0))
print(tf.log(2.0))  # noqa: TXL503
print(tf.log(2.0))  # noqa


def train(model, images, labels):
    data = tf.data.Dataset.from_tensor_slices((images, labels)).batch(32)
    model.fit(data, epochs=5)
"""


@pytest.fixture
def registered(tmp_path: Path) -> Path:
    """A folder that a distribution of this tree was installed into, as far as flake8 looks."""
    site = tmp_path / "site"
    metadata = site / "tfxla_lint-0.1.0.dist-info"
    metadata.mkdir(parents=True)
    points = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"]
    rows = [
        f"[{group}]\n" + "\n".join(f"{a} = {b}" for a, b in p.items())
        for group, p in points.items()
    ]
    (metadata / "entry_points.txt").write_text("\n".join(rows) + "\n")
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: tfxla-lint\nVersion: 0.1.0\n")
    return site


def flake8(site: Path, folder: Path, *arguments: str) -> list[str]:
    paths = [str(site), str(ROOT)]
    command = [sys.executable, "-m", "flake8", "--isolated", "-j1", *arguments, "a.py"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    return [" ".join(line.split()[:2]) for line in done.stdout.splitlines()]


def test_findings_stand_under_the_rules_of_flake8(tmp_path: Path, registered: Path) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "a.py").write_text(CODE)
    (folder / "pyproject.toml").write_text("[tool.tfxla-lint]\ntf-version = '2.9'\n")
    assert flake8(registered, folder) == ["a.py:3:7: TXL503"]
    # What is opt-in is on where flake8 selects its code.
    assert flake8(registered, folder, "--disable-noqa", "--extend-select", "TXL601") == [
        "a.py:3:7: TXL503",
        "a.py:4:7: TXL503",
        "a.py:5:7: TXL503",
        "a.py:9:12: TXL601",
    ]
    assert flake8(registered, folder, "--ignore", "TXL5") == []


def test_what_cannot_be_checked_is_said_and_stops_no_other_linter(
    registered: Path, tmp_path: Path
) -> None:
    (tmp_path / "b.py").write_text("import os\n")
    (tmp_path / "a.py").write_text("import os\nimport tensorflow as tf\n\n(x): int = tf\n")
    found = flake8(registered, tmp_path, "b.py")
    assert sorted(row.split()[1] for row in found) == ["F401", "F401", "TXL000"]
    (tmp_path / "a.py").write_text("import os\n")
    (tmp_path / "pyproject.toml").write_text("[tool.tfxla-lint]\nselect = 5\n")
    found = flake8(registered, tmp_path, "b.py")
    assert sorted(row.split()[1] for row in found) == ["F401", "F401", "TXL000"]


def test_files_that_the_settings_exclude_are_not_reported(registered: Path, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(CODE)
    (tmp_path / "pyproject.toml").write_text('[tool.tfxla-lint]\nexclude = ["a.py"]\n')
    assert not [row for row in flake8(registered, tmp_path) if "TXL" in row]
