"""Asks git."""

from __future__ import annotations

import subprocess
from pathlib import Path


class GitError(Exception):
    """git is missing, the folder is no repository, or the revision does not exist."""


def git(*arguments: str, folder: Path | None = None, data: bytes | None = None) -> bytes:
    """What a command of git prints, run in `folder`; raises GitError where it fails."""
    try:
        done = subprocess.run(
            ["git", *arguments], cwd=folder, input=data, capture_output=True, check=False
        )
    except OSError as error:
        raise GitError(f"cannot run git: {error.strerror or error}") from None
    if done.returncode != 0:
        words = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise GitError(words[-1] if words else f"git {arguments[0]} failed")
    return done.stdout


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
