"""How long chains of operators are, which make trees as deep: `a + b + c`, `x.a().b[0]`, `elif`s; and how
deep patterns lie in each other: `case [[{"a": [x]}]]`.

LibCST's parser calls itself for each link, and for some takes the time of their square: a chain of
ten thousand ends the process. For each level of a pattern it takes two to four times the time of the
one within. Both are looked for before anything is parsed.
"""

from __future__ import annotations

import io
import re
import tokenize
from functools import lru_cache

#: What may be a link, in brackets or not: in most files no stretch of code has many.
_LINK = re.compile(
    r"\b(?:and|or|not|if|elif|lambda|await)\b|[-+*/%&|^~@.(\[<>]|[\"'][ \t]+[frbuFRBU]*[\"']"
)
#: Where a statement begins, whatever stands before.
_START = re.compile(r"\n[ \t]*(?:def|class|return|import|raise|assert|with|try)\b")
_WORD = re.compile(r"and|or|not|if|lambda|await")
#: What LibCST holds side by side, however many there are.
_COMPARING = re.compile(r"[<>]=?|[=!]=|in|is")
_OPENING, _CLOSING = "([{", ")]}"
#: Behind these nothing hangs on what stands before.
_PARTING = ",;:="
_CASE = re.compile(r"(?:^|[\r\n\f])[ \t\f]*case\b")
#: What a pattern is made of, as far as it nests.
_PATTERN = re.compile(
    r"""\\\r?\n|[\[({\])}:\r\n]|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\#[^\n]*"""
)


@lru_cache(maxsize=2)
def longest_chain(text: str, most: int) -> int:
    """How many links the longest chain has, where it may have more than `most`; else any number up to that."""
    # A link takes two characters at least.
    parts = [part for part in _START.split(text) if len(part) > 2 * most]
    rough = max((len(_LINK.findall(part)) for part in parts), default=0)
    if rough <= most:
        return rough
    try:
        return _counted(text)
    except (tokenize.TokenError, SyntaxError, ValueError):
        # The parser says what is wrong with it.
        return 0


@lru_cache(maxsize=2)
def deepest_pattern(text: str) -> int:
    """How many levels of patterns lie in each other, at most, in the head of a `case`."""
    return max((_depth(text, match.end()) for match in _CASE.finditer(text)), default=0)


def _depth(text: str, start: int) -> int:
    """How deep what stands behind the word `case` nests, if it is the head of one: a colon ends that."""
    deepest, around = 0, list[int]()
    for match in _PATTERN.finditer(text, start):
        word = match[0]
        if word in _OPENING:
            # LibCST takes four times as long for a mapping in another one.
            around.append(2 if word == "{" else 1)
            deepest = max(deepest, sum(around))
        elif word in _CLOSING and around:
            around.pop()
        elif not around and word[0] not in "\\\"'#":
            return deepest if word == ":" else 0
    return 0


def _counted(text: str) -> int:
    longest = 0
    chains = [_Chain()]
    branches: dict[int, int] = {}
    is_first, column, before = True, 0, tokenize.NEWLINE
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        kind, word = token.type, token.string
        if kind in (tokenize.NEWLINE, tokenize.ENDMARKER):
            chains, is_first = [_Chain()], True
            continue
        if kind in (tokenize.COMMENT, tokenize.NL, tokenize.INDENT, tokenize.DEDENT):
            continue
        if is_first:
            is_first, column = False, token.start[1]
            for inner in [at for at in branches if at > column]:
                del branches[inner]
            branches[column] = branches.get(column, 0) + 1 if word == "elif" else 0
        is_operator = kind == tokenize.OP
        if is_operator and word in _CLOSING:
            chains = chains[:-1] or [_Chain()]
        elif is_operator and word in _PARTING:
            chains[-1] = _Chain()
        else:
            chains[-1].add(kind, word, before)
            longest = max(longest, chains[-1].length, branches[column])
            if is_operator and word in _OPENING:
                chains.append(_Chain())
        is_end = is_operator and word in _CLOSING
        before = tokenize.NAME if is_end else kind
    return longest


class _Chain:
    """What is joined on one level of brackets by words (`and`), in the last part by operators, and what
    hangs on the last name: `.a()[0]`.
    """

    def __init__(self) -> None:
        self._words = 0
        self._operators = 0
        self._trailers = 0

    @property
    def length(self) -> int:
        """How deep all of it is."""
        return self._words + self._operators + self._trailers

    def add(self, kind: int, word: str, before: int) -> None:
        """Take in the next token; `before` is the kind of the one before it."""
        if kind == tokenize.OP and (word == "." or word in _OPENING):
            self._trailers += before in (tokenize.NAME, tokenize.STRING)
        elif _COMPARING.fullmatch(word):
            self._operators = self._trailers = 0
        elif kind == tokenize.OP:
            self._operators += 1
            self._trailers = 0
        elif kind == tokenize.NAME and _WORD.fullmatch(word):
            self._words += 1
            self._operators = self._trailers = 0
        elif kind == tokenize.STRING and before == tokenize.STRING:
            self._operators += 1
