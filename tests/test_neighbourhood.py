"""Which files are looked at beside those that are linted."""

from __future__ import annotations

from pathlib import Path

import pytest

from tfxla_lint import neighbourhood
from tfxla_lint.discovery import discover
from tfxla_lint.neighbourhood import projects_of
from tfxla_lint.settings.layer import Layer
from tfxla_lint.settings.resolver import SettingsResolver

NET = "import tensorflow as tf\n"
TRAIN = "import tensorflow as tf\nfrom net import Net\n"


def write(root: Path, **texts: str) -> None:
    for name, text in texts.items():
        path = root / (name.replace("__", "/") + ".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def cluster(path: Path, config: Path | None = None) -> set[str]:
    resolver = SettingsResolver(Layer(Path.cwd()), config)
    files = discover([str(path)], resolver).files
    found = projects_of(files, resolver).cluster(path)
    return set(found.files) if found is not None else set()


@pytest.mark.parametrize("here", [".", "a", ".."])
def test_siblings_are_found_from_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, here: str
) -> None:
    write(tmp_path, a__net=NET, a__train=TRAIN)
    for folder in (Path("/"), tmp_path / here):
        monkeypatch.chdir(folder)
        assert cluster(tmp_path / "a" / "train.py") == {"net.py", "train.py"}


def test_other_files_do_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neighbourhood, "_MOST", 10)
    write(tmp_path, net=NET, train=TRAIN)
    (tmp_path / "images").mkdir()
    for number in range(50):
        (tmp_path / "images" / f"{number}.png").touch()
    assert cluster(tmp_path / "train.py") == {"net.py", "train.py"}


def test_in_a_large_project_the_nearest_files_are_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(neighbourhood, "_MOST", 12)
    (tmp_path / "pyproject.toml").touch()
    names = {f"b__c{number}__x": NET for number in range(20)}
    write(tmp_path, top=NET, a__net=NET, a__sub__far=NET, a__train=TRAIN, **names)
    (tmp_path / "a" / "train.py").write_text(TRAIN + "import sub.far\nimport top\n")
    assert cluster(tmp_path / "a" / "train.py") == {
        "a/net.py",
        "a/sub/far.py",
        "a/train.py",
        "top.py",
    }


def test_a_project_inside_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").touch()
    write(tmp_path, train="import tensorflow as tf\nimport inner.net\n", inner__net=NET)
    assert cluster(tmp_path / "train.py") == {"inner/net.py", "train.py"}
    (tmp_path / "inner" / "pyproject.toml").touch()
    assert cluster(tmp_path / "train.py") == set()


def test_broken_settings_elsewhere_do_no_harm(tmp_path: Path) -> None:
    write(tmp_path, net=NET, train=TRAIN, other__x=NET)
    (tmp_path / "other" / "pyproject.toml").write_text("[tool.tfxla-lint]\nselect = [\n")
    assert cluster(tmp_path / "train.py") == {"net.py", "train.py"}


def test_a_link_to_a_file_of_the_project_is_no_second_one(tmp_path: Path) -> None:
    write(tmp_path, net=NET, train="import tensorflow as tf\nimport net, link\n")
    (tmp_path / "link.py").symlink_to(tmp_path / "net.py")
    assert cluster(tmp_path / "train.py") == {"net.py", "train.py"}


def test_settings_from_elsewhere_do_not_move_the_project(tmp_path: Path) -> None:
    write(tmp_path, code__net=NET, code__train=TRAIN)
    config = tmp_path / "etc" / "tfxla-lint.toml"
    config.parent.mkdir()
    config.touch()
    assert cluster(tmp_path / "code" / "train.py", config) == {"net.py", "train.py"}
