"""Documents on the disk."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from tfxla_lint.cache.store import Store
from tfxla_lint.digests import digest

KEYS = [digest(str(number).encode()) for number in range(20)]
DOCUMENT = {"text": ["caf\xe9 \ud800", None, True, 12]}


def age(folder: Path, key: str, seconds: float) -> None:
    then = time.time() - seconds
    os.utime(folder / key[:2] / key[2:], (then, then))


def test_what_is_put_in_comes_back(tmp_path: Path) -> None:
    store = Store(tmp_path / "a" / "b")
    assert store.get(KEYS[0]) is None
    store.put(KEYS[0], DOCUMENT)
    assert store.get(KEYS[0]) == DOCUMENT
    assert Store(tmp_path / "a" / "b").get(KEYS[0]) == DOCUMENT
    assert store.get(KEYS[1]) is None


def test_a_document_under_another_key_is_none(tmp_path: Path) -> None:
    store = Store(tmp_path)
    for key in KEYS[:2]:
        store.put(key, key)
    first, second = (tmp_path / key[:2] / key[2:] for key in KEYS[:2])
    second.write_bytes(first.read_bytes())
    assert store.get(KEYS[0]) == KEYS[0]
    assert store.get(KEYS[1]) is None
    assert not second.exists()


def test_what_cannot_be_written_is_not_kept(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    store = Store(tmp_path / "file")
    store.put(KEYS[0], 1)
    assert store.get(KEYS[0]) is None
    store.sweep()
    assert store.clean() == (0, 0)


def test_the_oldest_use_goes_first(tmp_path: Path) -> None:
    store = Store(tmp_path, limit=10_000)
    for number, key in enumerate(KEYS):
        store.put(key, "x" * 1000)
        age(tmp_path, key, 90_000 - number)
    store.get(KEYS[0])
    store.sweep()
    left = [key for key in KEYS if store.get(key) is not None]
    assert left == [KEYS[0], *KEYS[-8:]]


def test_it_is_swept_once_in_a_while_and_only_after_writing(tmp_path: Path) -> None:
    store = Store(tmp_path, limit=0)
    store.put(KEYS[0], 1)
    Store(tmp_path, limit=0).sweep()
    assert store.get(KEYS[0]) == 1
    store.sweep()
    assert store.get(KEYS[0]) is None
    store.put(KEYS[0], 1)
    store.sweep()
    assert store.get(KEYS[0]) == 1


def test_half_written_files_of_dead_runs_go(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.put(KEYS[0], 1)
    shelf = tmp_path / KEYS[0][:2]
    for name in (f".{KEYS[1][2:]}.123", f".{KEYS[2][2:]}.123"):
        (shelf / name).write_bytes(b"x")
    then = time.time() - 90_000
    os.utime(shelf / f".{KEYS[1][2:]}.123", (then, then))
    store.sweep()
    assert {path.name for path in shelf.iterdir()} == {KEYS[0][2:], f".{KEYS[2][2:]}.123"}


def test_cleaning_leaves_what_is_not_ours(tmp_path: Path) -> None:
    store = Store(tmp_path / "cache")
    for key in KEYS:
        store.put(key, key)
    store.sweep()
    (tmp_path / "cache" / "mine").touch()
    (tmp_path / "cache" / "ab").mkdir(exist_ok=True)
    (tmp_path / "cache" / "ab" / "mine").touch()
    count, size = store.clean()
    assert count == len(KEYS)
    assert size > 32 * len(KEYS)
    assert (tmp_path / "cache" / "mine").exists()
    assert (tmp_path / "cache" / "ab" / "mine").exists()
    (tmp_path / "cache" / "mine").unlink()
    (tmp_path / "cache" / "ab" / "mine").unlink()
    assert store.clean() == (0, 0)
    assert not (tmp_path / "cache").exists()


def test_a_folder_that_holds_no_cache_is_not_removed(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert Store(tmp_path / "empty").clean() == (0, 0)
    assert (tmp_path / "empty").exists()


@pytest.mark.parametrize("name", [".gitignore", "CACHEDIR.TAG"])
def test_the_folder_says_what_it_is(tmp_path: Path, name: str) -> None:
    Store(tmp_path / "cache").put(KEYS[0], 1)
    text = (tmp_path / "cache" / name).read_text()
    assert text.startswith(("*\n", "Signature: 8a477f597d28d172789f06886806bc55\n"))
