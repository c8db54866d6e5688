"""Which files are linted."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tfxla_lint.discovery import discover
from tfxla_lint.settings.layer import Layer
from tfxla_lint.settings.resolver import SettingsResolver


@pytest.fixture(autouse=True)
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def make(*names: str) -> None:
    for name in names:
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")


def found(*arguments: str, **command_line: object) -> list[str]:
    layer = Layer(Path.cwd(), **command_line)  # type: ignore[arg-type]
    result = discover(arguments or (".",), SettingsResolver(layer))
    assert result.problems == []
    return [target.shown.replace(os.sep, "/") for target in result.files]


def problems(*arguments: str) -> list[tuple[str, str]]:
    return discover(arguments, SettingsResolver(Layer(Path.cwd()))).problems


def test_folders_are_walked_in_order() -> None:
    make("b.py", "a/z.py", "a/b/c.py", "a/notes.txt", "a/data.pyi", "A.py")
    assert found() == ["A.py", "b.py", "a/z.py", "a/b/c.py"]
    assert found("a") == ["a/z.py", "a/b/c.py"]


def test_each_file_once() -> None:
    make("a/b.py", "c.py")
    assert found("a/b.py", "./a", ".", "a/../c.py") == ["a/b.py", "c.py"]


def test_a_named_file_needs_no_suffix() -> None:
    make("script", "x.txt")
    assert found("script", "x.txt") == ["script", "x.txt"]


def test_notebooks_are_found_like_python_files() -> None:
    make("a.ipynb", "b.py", ".ipynb_checkpoints/a-checkpoint.ipynb")
    assert found() == ["a.ipynb", "b.py"]


def test_notebooks_can_be_left_out() -> None:
    make("a.ipynb", "b.py")
    assert found(include_notebooks=False) == ["b.py"]
    assert found("a.ipynb", include_notebooks=False) == ["a.ipynb"]
    assert found("a.ipynb", include_notebooks=False, force_exclude=True) == []


def test_paths_outside_of_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make("a/b.py", "here/c.py")
    monkeypatch.chdir(tmp_path / "here")
    assert found(str(tmp_path / "a")) == [f"{tmp_path}/a/b.py"]


def test_missing_paths() -> None:
    make("a.py")
    Path("dangling.py").symlink_to("nowhere.py")
    assert problems("no.py", "a.py", "dangling.py") == [
        ("no.py", "no such file or folder"),
        ("dangling.py", "a symbolic link that leads nowhere"),
    ]


# exclude


def test_the_default_excludes() -> None:
    make(".venv/a.py", "x/__pycache__/a.py", "node_modules/a.py", "build/a.py", "venv.py")
    assert found() == ["venv.py", "build/a.py"]


def test_a_named_folder_is_walked_even_if_excluded() -> None:
    make(".venv/a.py", ".venv/venv/b.py")
    assert found(".venv") == [".venv/a.py"]
    assert found(".venv", force_exclude=True) == []
    assert found(".venv/a.py") == [".venv/a.py"]
    assert found(".venv/a.py", force_exclude=True) == []


def test_exclude_replaces_and_extend_exclude_adds() -> None:
    make("a/x.py", "b/x.py", "venv/x.py")
    assert found(exclude=("a",)) == ["b/x.py", "venv/x.py"]
    assert found(extend_exclude=("/a", "b/*.py")) == []
    assert found(extend_exclude=("x/a",)) == ["a/x.py", "b/x.py"]


def test_excludes_of_a_file_are_relative_to_it() -> None:
    make("p/a/x.py", "p/b/a/x.py", "a/x.py")
    Path("p/tfxla-lint.toml").write_text("extend-exclude = ['/a']\n")
    assert found() == ["a/x.py", "p/b/a/x.py"]


def test_an_excluded_folder_is_not_entered() -> None:
    make("a/b/x.py", "a/tfxla-lint.toml")
    Path("a/tfxla-lint.toml").write_text("nonsense = 1\n")
    assert found(extend_exclude=("a",)) == []


# .gitignore


def test_ignore_files_hold_below_their_folder() -> None:
    make(".git/HEAD", "build/a.py", "x.py", "a/b.py", "a/keep.py", "a/c/b.py", "c/gen_a.py")
    Path(".gitignore").write_text("/build/\ngen_*\n# a comment\n")
    Path("a/.gitignore").write_text("b.py\n")
    assert found() == ["x.py", "a/keep.py"]
    assert found(respect_gitignore=False) == [
        "x.py",
        "a/b.py",
        "a/keep.py",
        "a/c/b.py",
        "build/a.py",
        "c/gen_a.py",
    ]


def test_the_nearest_ignore_file_decides() -> None:
    make(".git/HEAD", "a/x_gen.py", "b/x_gen.py")
    Path(".gitignore").write_text("*_gen.py\n")
    Path("a/.gitignore").write_text("!*_gen.py\n")
    assert found() == ["a/x_gen.py"]


def test_ignore_files_above_hold_up_to_the_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make("r/.git/HEAD", "r/src/a.py", "r/src/b.py", "r/.git/info/exclude")
    Path(".gitignore").write_text("*.py\n")
    Path("r/.gitignore").write_text("src/b.py\n")
    assert found("r/src") == ["r/src/a.py"]
    Path("r/.git/info/exclude").write_text("a.py\n")
    assert found("r/src") == []


def test_a_named_path_is_linted_even_if_ignored() -> None:
    make(".git/HEAD", "build/a.py", "build/b/c.py")
    Path(".gitignore").write_text("build\n")
    assert found() == []
    assert found("build") == ["build/a.py", "build/b/c.py"]
    assert found("build/a.py") == ["build/a.py"]


def test_lines_that_are_no_pattern_are_passed_over() -> None:
    make("a.py", "b.py")
    Path(".gitignore").write_bytes(b"!\n[z-a]\na.py\n\\\n\xff\n")
    assert found() == ["b.py"]


def test_patterns_that_match_for_ever_are_passed_over() -> None:
    """Their time would be a power of the length of a path, with as many stars as exponent."""
    make("a" * 200 + ".py", "/".join("a" * 40) + "/b.py", "b/a.py")
    Path(".gitignore").write_text(f"{'*a' * 30}*b\n{'**/a/' * 30}c\n**/b/a*.p*y\n")
    assert [Path(path).name for path in found()] == ["a" * 200 + ".py", "b.py"]


# Links and troubles


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_patterns_that_python_warns_of_are_patterns(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("[[:alpha:]]x\n[a--b]\nmade.py\n")
    for name in ("kept.py", "made.py"):
        (tmp_path / name).write_text("")
    done = subprocess.run(
        [sys.executable, "-W", "always", "-m", "tfxla_lint", "--show-files", "."],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "kept.py\n", "")


def test_what_may_never_end_is_not_read() -> None:
    os.mkfifo("pipe.py")
    reason = "not a regular file; `-` is standard input"
    assert problems("pipe.py", "/dev/zero") == [("pipe.py", reason), ("/dev/zero", reason)]


def test_links_are_no_trap() -> None:
    make("a/x.py")
    Path("a/loop").symlink_to("..", target_is_directory=True)
    Path("a/self.py").symlink_to("self.py")
    Path("a/dangling.py").symlink_to("nowhere.py")
    Path("a/y.py").symlink_to("x.py")
    assert found() == ["a/x.py"]
    assert found("a/loop/a") == ["a/loop/a/x.py"]


def test_a_folder_called_like_a_file() -> None:
    make("a.py/b.py")
    assert found() == ["a.py/b.py"]


@pytest.mark.usefixtures("unreadable")
def test_a_folder_that_cannot_be_read() -> None:
    make("a/x.py", "b/y.py")
    Path("a").chmod(0)
    try:
        result = discover(["."], SettingsResolver(Layer(Path.cwd())))
    finally:
        Path("a").chmod(0o700)
    assert [target.shown for target in result.files] == ["b/y.py"]
    assert result.problems == [("a", "Permission denied")]
