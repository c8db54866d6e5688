"""The words that the code of a file is made of, without parsing it."""

from __future__ import annotations

import re
from collections.abc import Iterator

# Each way to go on begins with a character of its own, so that what lies between is passed over fast.
_LONG = r'"""(?:[^"\\]|\\.|"(?!""))*(?:"""|\Z)|' r"'''(?:[^'\\]|\\.|'(?!''))*(?:'''|\Z)"
_SHORT = r'"(?:[^"\\\n]|\\.)*"?|' r"'(?:[^'\\\n]|\\.)*'?"
_COMMENT = r"#[^\n]*"
#: What follows the quote of a text that holds code: the rest of the line.
_FILLED = r"(?:(?<=[fFtT].)|(?<=[fFtT][rR].))(?:[^\n\\\"']|\\.|\"(?!\"\")|'(?!''))*"
#: Code that has no such texts: all may go, but those that are a name.
_SAID = re.compile("|".join((_LONG, _SHORT, _COMMENT)), re.DOTALL)
#: Code that has some: they may hold texts of their own, so all that stands in a short text stays, and
#: so does the rest of the line.
_SAID_BESIDE = re.compile(
    "|".join((*(quote + _FILLED for quote in "\"'"), _LONG, _SHORT, _COMMENT)), re.DOTALL
)
_LONG_FILLED = re.compile(r"[fFtT][rR]?(?:\"\"\"|''')")
_SHORT_FILLED = re.compile(r"[fFtT][rR]?[\"']")
_NAMED = re.compile(r"[\"']([A-Za-z_][\w.]*)[\"']")
_WORD = re.compile(r"[A-Za-z_]\w*")
_MEMBER = re.compile(r"\.\s*([A-Za-z_]\w*)")
#: What follows the word `import`, to the end of the statement.
_IMPORTING = re.compile(r"import\b\s*(\([^)]*\)|[^\n;]*)")
_FIRST = re.compile(r"(?:^|,)\s*([A-Za-z_]\w*)")
#: Modules that are no part of any interface: nothing is known of what they hold.
PRIVATE = "keras.src"
_PRIVATE = re.compile(r"keras\s*\.\s*src(?:\s*\.\s*\w+)*")


def words_of(text: str) -> frozenset[str]:
    """The words of a file's code, keywords among them, and perhaps more than these.

    A name that is read as an attribute, or imported, is there with a dot before it as well (`.fit`), the
    package that an import is from with the word `import` ("import keras"). Of comments and texts there
    are none, but for a text that is a name as a whole (`getattr(tf, "function")`). For whatever names a
    private module there is the one word `PRIVATE`.
    """
    code, private = _PRIVATE.subn(" ", _without_texts(text).replace("\\\n", " "))
    return frozenset((*_words(code), *([PRIVATE] if private else ())))


def _words(code: str) -> Iterator[str]:
    yield from _WORD.findall(code)
    for name in set(_MEMBER.findall(code)):
        yield f".{name}"
    for found in _IMPORTING.finditer(code):
        members, start = found[1], found.start()
        for name in _WORD.findall(members):
            yield f".{name}"
        before = code[code.rfind("\n", 0, start) + 1 : start].split()
        # Of a private module nothing is left behind `from`.
        if any(word.endswith("from") for word in before[-2:]):
            yield f"import {before[-1].partition('.')[0]}"
        else:
            yield from (f"import {root}" for root in _FIRST.findall(members))


def _without_texts(text: str) -> str:
    if _LONG_FILLED.search(text):
        return text
    if _SHORT_FILLED.search(text):
        return _SAID_BESIDE.sub(_kept_beside, text)
    return _SAID.sub(_kept_name, text)


def _kept_name(said: re.Match[str]) -> str:
    """A text that is a name, as one that is read as an attribute."""
    name = _NAMED.fullmatch(said[0])
    return f" {name[1]} .{name[1]} " if name is not None else " "


def _kept_beside(said: re.Match[str]) -> str:
    whole = said[0]
    if whole.startswith(('"""', "'''", "#")):
        return " "
    return f" {whole} .{whole[1:]} " if _NAMED.fullmatch(whole) else whole
