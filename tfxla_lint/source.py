"""A Python file as it is written: bytes, encoding, byte order mark, line endings, offsets."""

from __future__ import annotations

import codecs
import io
import tokenize
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tfxla_lint.findings import Edit, Span
from tfxla_lint.regular import regular_bytes


class SourceError(Exception):
    """The bytes of a file are no Python text; `line` and `column` are 1-based."""

    def __init__(self, message: str, line: int = 1, column: int = 1) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column


@dataclass(frozen=True)
class Source:
    """Decoded text of one file, with what is needed to write it back byte for byte."""

    path: str
    text: str
    encoding: str = "utf-8"
    has_bom: bool = False
    _line_starts: list[int] = field(default_factory=list, repr=False, compare=False)

    @property
    def tf_version(self) -> tuple[int, int] | None:
        """The TensorFlow that the file itself says it is for."""
        return None

    @classmethod
    def from_bytes(cls, data: bytes, path: str) -> Source:
        """Decode `data` as Python does (PEP 263).

        Raises SourceError where the bytes are binary, the declared encoding is unknown or the
        bytes are not in it.
        """
        if b"\0" in data:
            line = data[: data.index(b"\0")].count(b"\n") + 1
            raise SourceError("the file contains null bytes, so it is no Python source", line)
        try:
            encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        except SyntaxError as error:
            raise SourceError(str(error.msg or error)) from None
        return cls.decoded(data, path, "utf-8" if encoding == "utf-8-sig" else encoding)

    @classmethod
    def decoded(cls, data: bytes, path: str, name: str) -> Source:
        """Decode `data` from the encoding `name`; raises SourceError where it is not in it."""
        has_bom = data.startswith(codecs.BOM_UTF8)
        body = data[len(codecs.BOM_UTF8) :] if has_bom else data
        try:
            text = body.decode(name)
        except UnicodeDecodeError as error:
            before = body[: error.start]
            line = before.count(b"\n") + 1
            column = len(before) - (before.rfind(b"\n") + 1) + 1
            raise SourceError(
                f"byte 0x{body[error.start]:02x} is not valid {name}", line, column
            ) from None
        except (LookupError, ValueError):
            # A codec of another kind (`hex`), or one that says no more than that it failed.
            raise SourceError(
                f"the file cannot be read in the encoding it declares, {name}"
            ) from None
        return cls(path, text, name, has_bom)

    def with_text(self, text: str) -> Source:
        """The same file with another text."""
        return replace(self, text=text, _line_starts=[])

    @property
    def cell_lines(self) -> tuple[tuple[int, int], ...]:
        """The lines on which the code cells of a notebook begin, with the numbers of the cells."""
        return ()

    @property
    def goes_on(self) -> bool:
        """Whether it says itself that a run goes on after an error that it raises."""
        return False

    def units_of_code(self) -> Iterator[tuple[int, str]]:
        """What Python compiles in one go, each with the number of the lines above it."""
        yield 0, self.text

    def clearing(self) -> Source:
        """The same file, which loses what its changed parts gave when they were run."""
        return self

    def reread(self, data: bytes) -> Source:
        """What `data` is in the place of this file; raises SourceError."""
        return Source.from_bytes(data, self.path)

    def parts(self, other: Source) -> list[tuple[Source, Source]]:
        """The parts in which another form of this file differs, each by itself, before and after."""
        return [(self, other)]

    def own_edit(self, edit: Edit) -> tuple[Edit, int]:
        """An edit, and the offset of what its places count from: the file, or a notebook's cell."""
        return edit, 0

    def in_file(self, edits: Sequence[Edit]) -> tuple[Source, Sequence[Edit]]:
        """The edits of the file that edits of the text come to, and the file as it is written."""
        return self, edits

    def fitted(self, edits: Sequence[Edit]) -> tuple[Edit, ...] | None:
        """The edits of a fix as this kind of file takes them; None where it does not."""
        return tuple(edits)

    @classmethod
    def read(cls, path: Path, shown: str | None = None) -> Source:
        """Read and decode `path`; OSError passes through. `shown` is the path that findings name."""
        return cls.from_bytes(regular_bytes(path), shown if shown is not None else str(path))

    def encode(self, text: str) -> bytes:
        """`text` as bytes of this file's encoding, with its byte order mark.

        Raises UnicodeEncodeError where the encoding lacks a character of `text`.
        """
        data = text.encode(self.encoding)
        return codecs.BOM_UTF8 + data if self.has_bom else data

    def gives_back(self, data: bytes) -> bool:
        """Whether the text as it stands is encoded as `data`, the bytes that it was read from.

        Some codecs read several spellings of one text (`unicode_escape`): written again, lines that
        nobody touched would change.
        """
        try:
            return self.encode(self.text) == data
        except ValueError:
            return False

    @property
    def newline(self) -> str:
        """The file's first line ending, or a line feed where it has none."""
        index = self.text.find("\n")
        if index > 0 and self.text[index - 1] == "\r":
            return "\r\n"
        if index < 0 and "\r" in self.text:
            return "\r"
        return "\n"

    @property
    def line_starts(self) -> list[int]:
        """Offsets at which the lines begin, as CPython counts lines (\\n, \\r\\n and \\r end one)."""
        if not self._line_starts:
            starts = self._line_starts
            starts.append(0)
            text, position = self.text, 0
            if "\r" not in text:
                while (position := text.find("\n", position) + 1) > 0:
                    starts.append(position)
            else:
                size = len(text)
                while position < size:
                    char = text[position]
                    position += 1
                    if char == "\n" or (
                        char == "\r" and not (position < size and text[position] == "\n")
                    ):
                        starts.append(position)
        return self._line_starts

    def position(self, offset: int) -> tuple[int, int]:
        """The 1-based line and column (in code points) of an offset."""
        starts = self.line_starts
        line = bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1

    def span(self, start: int, end: int) -> Span:
        """The span from offset `start` up to `end`."""
        line, column = self.position(start)
        end_line, end_column = self.position(end)
        return Span(start, end, line, column, end_line, end_column)

    def line_text(self, line: int) -> str:
        """The text of a 1-based line, without its line ending."""
        starts = self.line_starts
        if not 1 <= line <= len(starts):
            return ""
        end = starts[line] if line < len(starts) else len(self.text)
        return self.text[starts[line - 1] : end].rstrip("\r\n")

    def shown_line(self, line: int) -> str:
        """The text of a line as its author wrote it."""
        return self.line_text(line)


def encoded(text: str) -> bytes:
    """The bytes that a file with this text has, in the encoding that it declares."""
    data = text.encode("utf-8", "surrogatepass")
    try:
        name = tokenize.detect_encoding(io.BytesIO(data).readline)[0]
        other = data if name == "utf-8-sig" else text.encode(name)
        return other if decoded(other) == text else data
    except (SyntaxError, LookupError, ValueError):
        return data


def decoded(data: bytes) -> str:
    """The text of a file's bytes, in the encoding that it declares; none is lost.

    A byte order mark stays, and bytes that say nothing in that encoding become surrogates.
    """
    try:
        name = tokenize.detect_encoding(io.BytesIO(data).readline)[0]
        return data.decode("utf-8" if name == "utf-8-sig" else name)
    except (SyntaxError, LookupError, ValueError):
        return data.decode("utf-8", "surrogateescape")


def apply_edits(text: str, edits: tuple[Edit, ...] | list[Edit]) -> str:
    """`text` after `edits`, which must not overlap.

    Raises ValueError where two of them do.
    """
    parts: list[str] = []
    position = 0
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        if edit.start < position:
            raise ValueError("edits overlap")
        parts.append(text[position : edit.start])
        parts.append(edit.text)
        position = edit.end
    parts.append(text[position:])
    return "".join(parts)
