"""Writes to the terminal and to pipes: colours, odd characters, readers that go away."""

from __future__ import annotations

import io
import os
import shutil
import sys
from typing import TYPE_CHECKING, BinaryIO, TextIO

from tfxla_lint.cache.replay import Run

if TYPE_CHECKING:
    from tfxla_lint.reporters.style import Style


def survive_odd_text() -> None:
    """Escape characters that a stream's encoding lacks, instead of failing on them."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def style_for(stream: TextIO, choice: str) -> Style:
    """The style of text that goes to `stream`, under the option `--color`."""
    from tfxla_lint.reporters.style import Style, can_link, wants_colour

    is_terminal = stream.isatty()
    width = shutil.get_terminal_size().columns if is_terminal else None
    return Style(
        wants_colour(choice, os.environ, is_terminal),
        width,
        can_link(choice, os.environ, is_terminal),
    )


#: The streams whose readers have gone.
_unread: set[TextIO] = set()


def is_unread() -> bool:
    """Whether nobody reads standard output any more."""
    return sys.stdout in _unread


def emit(text: str, stream: TextIO | None = None) -> None:
    """Write text; where the reader has gone, drop it quietly.

    Raises OSError where standard output takes no more, as on a full disk.
    """
    target = stream if stream is not None else sys.stdout
    if Run.own is not None:
        Run.own.told.append((target is sys.stderr, text))
    try:
        target.write(text)
        target.flush()
    except OSError as error:
        _lose(target, error)


def emit_bytes(data: bytes) -> None:
    """Write bytes to standard output as they are."""
    target: BinaryIO = sys.stdout.buffer
    try:
        sys.stdout.flush()
        target.write(data)
        target.flush()
    except OSError as error:
        _lose(sys.stdout, error)


def _lose(stream: TextIO, error: OSError) -> None:
    """Go on without a stream; raises OSError where the reader of standard output misses the rest."""
    _detach(stream)
    _unread.add(stream)
    if stream is sys.stdout and not isinstance(error, BrokenPipeError):
        reason = error.strerror or str(error)
        raise OSError(error.errno, f"cannot write to standard output: {reason}")


def _detach(stream: TextIO) -> None:
    """Point a broken stream at nothing, so that its last flush does not fail at exit."""
    try:
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, stream.fileno())
        os.close(nothing)
    except (OSError, ValueError):
        return


def _visible(text: str) -> str:
    from tfxla_lint.reporters.text import visible

    return visible(text)


class Messages:
    """What the tool itself has to say, on standard error."""

    def __init__(self, quiet: bool = False, verbose: bool = False) -> None:
        self.is_quiet = quiet
        self.is_verbose = verbose

    def error(self, text: str) -> None:
        """Why the tool could not do its work."""
        emit(f"error: {_visible(text)}\n", sys.stderr)

    def warning(self, text: str) -> None:
        """What the user probably did not mean."""
        if not self.is_quiet:
            emit(f"warning: {_visible(text)}\n", sys.stderr)

    def summary(self, text: str, stream: TextIO | None = None) -> None:
        """What came out of the run, in one line, whatever the names in it hold."""
        self.shown(_visible(text), stream)

    def shown(self, text: str, stream: TextIO | None = None) -> None:
        """What came out of the run, made by a reporter: lines and styles are its own."""
        if not self.is_quiet:
            emit(f"{text}\n", stream if stream is not None else sys.stderr)

    def detail(self, text: str) -> None:
        """What only `-v` prints."""
        if self.is_verbose:
            from tfxla_lint.reporters.text import harmless_line

            emit("".join(f"{harmless_line(line)}\n" for line in text.split("\n")), sys.stderr)
