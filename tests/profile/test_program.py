"""Commands as users write them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tfxla_lint.profile.program import Program, ProgramError


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a script in a folder, as the working folder."""
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts" / "train.py").touch()
    monkeypatch.chdir(tmp_path)
    return tmp_path


SCRIPT = "scripts/train.py"


@pytest.mark.parametrize(
    ("command", "words", "options"),
    [
        (f"{SCRIPT} --steps 3 -m x", f"{SCRIPT} --steps 3 -m x", ""),
        (f"-- {SCRIPT} -c", f"{SCRIPT} -c", ""),
        (f"python {SCRIPT}", SCRIPT, ""),
        (f"python3.11 -u -W ignore {SCRIPT} -u", f"{SCRIPT} -u", "-u -W ignore"),
        (f"/usr/bin/python3 -Xdev -X importtime {SCRIPT}", SCRIPT, "-Xdev -X importtime"),
        ("python -m pkg.train --fast", "-m pkg.train --fast", ""),
        ("python -um pkg", "-m pkg", "-u"),
        ("-m pytest tests/x.py", "-m pytest tests/x.py", ""),
        ("pytest -k step", "-m pytest -k step", ""),
        ("venv/bin/pytest", "-m pytest", ""),
        ("python -c pass", "-c pass", ""),
    ],
)
def test_commands_are_read(command: str, words: str, options: str) -> None:
    program = Program.parse(command.split())
    assert program.words == tuple(words.split())
    assert program.options == tuple(options.split())


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("", "no program to run"),
        ("--", "no program to run"),
        ("python -u", "has options only"),
        ("python -", "standard input"),
        ("-m", "-m needs a module"),
        ("missing.py", "'missing.py' is no Python file"),
        ("make train", "'make' is no Python file"),
    ],
)
def test_what_is_no_program_is_told(command: str, message: str) -> None:
    with pytest.raises(ProgramError, match=message):
        Program.parse(command.split())


def test_the_root_is_the_project_of_the_program(project: Path) -> None:
    assert Program.parse([SCRIPT]).root == project
    assert Program.parse(["-m", "pytest"]).root == project
    (project / "pyproject.toml").unlink()
    assert Program.parse([SCRIPT]).root == project
    (project / "scripts" / "setup.py").touch()
    assert Program.parse([SCRIPT]).root == project / "scripts"
