"""Asks git."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

#: How many seconds git may take: a pipe in the place of one of its files never ends.
_LONGEST = 120


class GitError(Exception):
    """git is missing, the folder is no repository, or the revision does not exist."""


def git(*arguments: str, folder: Path | None = None, data: bytes | None = None) -> bytes:
    """What a command of git prints, run in `folder`; raises GitError where it fails."""
    done = run_git(*arguments, folder=folder, data=data)
    if done.returncode != 0:
        words = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise GitError(words[-1] if words else f"git {arguments[0]} failed")
    return done.stdout


def run_git(
    *arguments: str,
    folder: Path | None = None,
    data: bytes | None = None,
    environment: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """Run git in `folder`, so that no program runs that the repository's settings name."""
    # No index is written, and nothing is fetched, by whatever program the repository has for that.
    outer = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"}
    # An empty or relative folder on the path is the linted one, or lies in it.
    folders = filter(os.path.isabs, os.get_exec_path())
    outer["PATH"] = os.pathsep.join(folders)
    outer |= {"GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none", **(environment or {})}
    # An empty monitor is none for every git: old ones would run one called `false`. A repository
    # that lies in a folder without being a `.git` is none.
    settings = ["core.fsmonitor=", f"core.hooksPath={os.devnull}", "safe.bareRepository=explicit"]
    listing = ["config", "--null", "--name-only", "--get-regexp", r"^filter\."]
    for name in _filters(_run([*_set(settings), *listing], folder, None, outer)):
        settings += [f"{name}.{key}=" for key in ("clean", "smudge", "process")]
        settings.append(f"{name}.required=false")
    return _run(["--no-pager", *_set(settings), *arguments], folder, data, outer)


def _set(settings: list[str]) -> list[str]:
    return [word for setting in settings for word in ("-c", setting)]


def diff(*arguments: str, folder: Path | None = None) -> str:
    """What `git diff` prints, by nobody's program for showing files and of no submodule."""
    options = ("--no-ext-diff", "--no-textconv", "--ignore-submodules=all")
    return text_of(git("diff", *options, *arguments, folder=folder))


def _filters(listed: subprocess.CompletedProcess[bytes]) -> list[str]:
    """The filters for file contents that are set, such as `filter.lfs`."""
    if listed.returncode not in (0, 1):
        words = listed.stderr.decode("utf-8", "replace").strip().splitlines()
        raise GitError(words[-1] if words else "git config failed")
    keys = text_of(listed.stdout).split("\0")
    names = sorted({key.rpartition(".")[0] for key in keys if key})
    if odd := [name for name in names if "=" in name or not name.isprintable()]:
        # Nothing can be set for it on a command line.
        raise GitError(f"the filter has an odd name: {odd[0]!r}")
    return names


def _run(
    arguments: list[str], folder: Path | None, data: bytes | None, environment: dict[str, str]
) -> subprocess.CompletedProcess[bytes]:
    program = shutil.which("git", path=environment["PATH"])
    if program is None:
        raise GitError("cannot run git: it is not on the path")
    try:
        return subprocess.run(
            [program, *arguments],
            cwd=folder,
            env=environment,
            input=data if data is not None else b"",
            capture_output=True,
            check=False,
            timeout=_LONGEST,
        )
    except subprocess.TimeoutExpired:
        raise GitError(f"git took longer than {_LONGEST} s") from None
    except OSError as error:
        raise GitError(f"cannot run git: {error.strerror or error}") from None


def text_of(data: bytes) -> str:
    """What git printed, as text in which file names are as Python has them."""
    return data.decode("utf-8", "surrogateescape")


def top(folder: Path | None = None) -> Path:
    """The top of the repository around a folder; the working folder if none is named."""
    return Path(text_of(git("rev-parse", "--show-toplevel", folder=folder)).rstrip("\n"))


def commit(revision: str, folder: Path | None = None) -> str:
    """The commit that a revision names."""
    words = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    try:
        return text_of(git(*words, folder=folder)).strip()
    except GitError as error:
        if "cannot run" in str(error) or "repository" in str(error):
            raise
        raise GitError(f"git knows no revision {revision}") from None


def fork_point(revision: str, folder: Path | None = None) -> str:
    """The commit from which the working tree and a revision went different ways.

    Where their histories do not meet, as in a shallow clone, it is the revision itself.
    """
    named = commit(revision, folder)
    try:
        return text_of(git("merge-base", named, "HEAD", folder=folder)).strip() or named
    except GitError:
        return named


def moving(revision: str, folder: Path | None = None) -> list[Path]:
    """The files, there or not, by which a revision and the commit at hand become others."""
    names = ["HEAD", "packed-refs", "reftable/tables.list"]
    for each in ("HEAD", revision):
        words = ("rev-parse", "--symbolic-full-name", "--end-of-options", each)
        try:
            names += [n for n in text_of(git(*words, folder=folder)).split("\n") if "/" in n]
        except GitError:
            continue
    asked = [word for name in names for word in ("--git-path", name)]
    found = text_of(git("rev-parse", *asked, folder=folder)).split("\n")
    return [Path(os.path.abspath(os.path.join(folder or "", path))) for path in found if path]
