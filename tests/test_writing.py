"""Atomic writes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tfxla_lint import writing
from tfxla_lint.writing import ChangedMeanwhileError, write_atomically


def test_the_mode_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(b"old")
    path.chmod(0o751)
    write_atomically(path, b"new", b"old")
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == 0o751
    assert os.listdir(tmp_path) == ["a.py"]


def test_a_new_file_gets_the_usual_mode(tmp_path: Path) -> None:
    usual = tmp_path / "usual"
    usual.touch()
    write_atomically(tmp_path / "new", b"x")
    assert (tmp_path / "new").stat().st_mode == usual.stat().st_mode


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    target = tmp_path / "folder" / "a.py"
    target.write_bytes(b"old")
    link = tmp_path / "link.py"
    link.symlink_to("folder/a.py")
    write_atomically(link, b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"


@pytest.mark.parametrize("is_linked", [False, True])
def test_what_is_saved_while_it_is_written_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_linked: bool
) -> None:
    """An editor saves the file between the comparison and the last step."""
    path = tmp_path / "a.py"
    path.write_bytes(b"x = 1\n")
    if is_linked:
        # The bytes of the file itself are changed then.
        os.link(path, tmp_path / "b.py")
        error = writing._CannotReplaceError
        monkeypatch.setattr(writing, "_replace", lambda target, *rest: _saved_then(target, error))
    else:
        monkeypatch.setattr(os, "fsync", lambda handle: path.write_bytes(b"x = 2\n"))
    with pytest.raises(writing.ChangedMeanwhileError):
        writing.write_atomically(path, b"x = 3\n", expected=b"x = 1\n")
    assert path.read_bytes() == b"x = 2\n"
    assert [p.name for p in tmp_path.iterdir() if p.suffix == ".tmp"] == []


def _saved_then(target: Path, error: type[Exception]) -> None:
    target.write_bytes(b"x = 2\n")
    raise error


def test_what_changed_meanwhile_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(b"newer")
    with pytest.raises(ChangedMeanwhileError):
        write_atomically(path, b"new", b"old")
    assert path.read_bytes() == b"newer"


def test_a_failure_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / "a.py"
    path.write_bytes(b"old")
    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="No space"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["a.py"]


def test_a_file_that_may_not_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(b"old")
    monkeypatch.setattr(os, "access", lambda *arguments: False)
    with pytest.raises(PermissionError, match="not writable"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_what_is_no_file_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_atomically(pipe, b"text")
        assert os.read(reader, 9) == b"text"
    finally:
        os.close(reader)
    assert pipe.is_fifo()
    assert list(tmp_path.iterdir()) == [pipe]


def test_a_long_name(tmp_path: Path) -> None:
    """The file that is written first has a short one."""
    path = tmp_path / ("a" * 252 + ".py")
    path.write_bytes(b"old")
    write_atomically(path, b"new")
    assert path.read_bytes() == b"new"


def test_other_names_of_the_file_stay_names_of_it(tmp_path: Path) -> None:
    path, other = tmp_path / "a.py", tmp_path / "b.py"
    path.write_bytes(b"old and longer")
    os.link(path, other)
    for data in (b"new", b"new and much longer than it was"):
        write_atomically(path, data)
        assert path.samefile(other)
        assert other.read_bytes() == data


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs root")
def test_root_leaves_a_file_to_its_owner(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(b"old")
    os.chown(path, 1234, 4321)
    path.chmod(0o4750)
    write_atomically(path, b"new")
    state = path.stat()
    assert path.read_bytes() == b"new"
    assert (state.st_uid, state.st_gid, state.st_mode & 0o7777) == (1234, 4321, 0o4750)


def test_extended_attributes_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(b"old")
    try:
        os.setxattr(path, "user.note", b"mine")
    except (AttributeError, OSError):
        pytest.skip("this file system has no extended attributes")
    write_atomically(path, b"new")
    assert (path.read_bytes(), os.getxattr(path, "user.note")) == (b"new", b"mine")


_open = os.open


def refuse(path: str, flags: object = os.O_EXCL, *more: Any, **options: Any) -> int:
    """In place of any function; files that there are can be opened."""
    if isinstance(flags, int) and not flags & os.O_EXCL:
        return _open(path, flags, *more, **options)
    raise PermissionError(1, "Operation not permitted")


@pytest.mark.parametrize("function", ["os.open", "os.chown", "os.setxattr"])
def test_what_cannot_be_replaced_is_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, function: str
) -> None:
    """In a folder that may not be written to, or where the owner or an attribute would be lost."""
    path = tmp_path / "a.py"
    path.write_bytes(b"old")
    if function == "os.chown":
        if not hasattr(os, "geteuid") or os.geteuid() != 0:
            pytest.skip("only root meets files of others that it may change")
        os.chown(path, 1234, 4321)
    number = path.stat().st_ino
    monkeypatch.setattr(function, refuse, raising=False)
    monkeypatch.setattr(os, "listxattr", lambda path: ["user.x"], raising=False)
    monkeypatch.setattr(os, "getxattr", lambda path, name: b"", raising=False)
    write_atomically(path, b"new", b"old")
    monkeypatch.undo()
    assert (path.read_bytes(), path.stat().st_ino) == (b"new", number)
    assert os.listdir(tmp_path) == ["a.py"]


@pytest.mark.parametrize("data", [b"new", b"new and longer than the old one"])
def test_a_failure_in_the_middle_of_overwriting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: bytes
) -> None:
    def fail(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / "a.py"
    path.write_bytes(b"the old one")
    os.link(path, tmp_path / "b.py")
    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="No space"):
        write_atomically(path, data)
    assert path.read_bytes() == b"the old one"
