"""Syntax trees as plain data and back: to rebuild one takes a tenth of the time of a parse.

A tree becomes rows of numbers, one for each field of each kind of node, so that all nodes of a kind
are made at once, and each of their fields is filled by one call. A row is a text of four bytes for each
number: to read numbers that are written out takes as long as all else. Half of the nodes are blanks and
punctuation: of those that are the same one is kept, which then stands in many places.
"""

from __future__ import annotations

import sys
from array import array
from binascii import a2b_base64, b2a_base64
from collections import deque
from dataclasses import fields, is_dataclass
from functools import cache
from itertools import chain, islice, repeat
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import libcst as cst

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

#: What a field holds besides nodes, sequences of nodes and texts; their numbers come first.
_CONSTANTS = (None, cst.MaybeSentinel.DEFAULT, False, True)
_HELD = frozenset(map(type, _CONSTANTS))

#: Blanks and punctuation, which nobody asks where they stand.
FILLING: frozenset[type[cst.CSTNode]] = frozenset(
    {cst.SimpleWhitespace, cst.ParenthesizedWhitespace, cst.TrailingWhitespace, cst.Newline,
     cst.Comma, cst.AssignEqual, cst.LeftParen, cst.RightParen, cst.LeftSquareBracket,
     cst.RightSquareBracket}
)  # fmt: skip

#: The texts; the kinds of nodes, with how many there are, and the numbers that each field holds (one
#: number where all hold the same); how many members the sequences have, and these; the number of the module.
Flat = list[Any]


def flattened(tree: cst.Module) -> Flat:
    """A tree as JSON can hold it.

    A text or a node has its place behind the constants for a number, a sequence the place from the
    end, so that it is negative.
    """
    kinds, texts, same = _collected(tree)
    numbers: dict[int, int] = {}
    for node in chain.from_iterable(kinds.values()):
        numbers[id(node)] = len(_CONSTANTS) + len(texts) + len(numbers)
    numbers.update((key, numbers[id(node)]) for key, node in same.items())
    sequences: dict[tuple[int, ...], int] = {}

    def number(value: Any) -> int:
        kind = type(value)
        if kind is str:
            return texts[value]
        if kind is tuple:
            members = tuple([numbers[id(node)] for node in value])
            return sequences.setdefault(members, -1 - len(sequences))
        known = numbers.get(id(value))
        return known if known is not None else _CONSTANTS.index(value)

    rows = []
    for kind, nodes in kinds.items():
        columns: list[int | str] = []
        for name in _names(kind):
            column = [number(value) for value in map(attrgetter(name), nodes)]
            is_same = column.count(column[0]) == len(column)
            columns.append(column[0] if is_same else _packed(column))
        rows.append([kind.__name__, len(nodes), columns])
    members = _packed(map(len, sequences)), _packed(chain.from_iterable(sequences))
    return [list(texts), rows, list(members), numbers[id(tree)]]


def _packed(numbers: Iterable[int]) -> str:
    packed = array("i", numbers)
    if sys.byteorder == "big":
        packed.byteswap()
    return b2a_base64(packed.tobytes(), newline=False).decode("ascii")


def _unpacked(text: str) -> array[int]:
    numbers = array("i", a2b_base64(text))
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def _collected(
    tree: cst.Module,
) -> tuple[dict[type, list[cst.CSTNode]], dict[str, int], dict[int, cst.CSTNode]]:
    """The nodes of a tree by kind, the numbers of its texts, and what to take for the nodes that are
    left out, by their identities."""
    kinds: dict[type, list[cst.CSTNode]] = {}
    texts: dict[str, int] = {}
    same: dict[int, cst.CSTNode] = {}
    known: dict[Any, cst.CSTNode] = {}
    pending: list[cst.CSTNode] = [tree]
    while pending:
        node = pending.pop()
        kind = type(node)
        if kind in FILLING:
            key = _alike(node, kind)
            if key in known:
                same[id(node)] = known[key]
                continue
            known[key] = node
        kinds.setdefault(kind, []).append(node)
        for name in _names(kind):
            value = getattr(node, name)
            held = type(value)
            if held is str:
                texts.setdefault(value, len(_CONSTANTS) + len(texts))
            elif held is tuple:
                pending.extend(value)
            elif held not in _HELD:
                pending.append(value)
    return kinds, texts, same


def _alike(node: Any, kind: type) -> Any:
    """What is equal of blanks and punctuation that are the same; of others, the nodes in them."""
    if kind is cst.SimpleWhitespace:
        return node.value
    values = [getattr(node, name) for name in _names(kind)]
    return kind, *[_alike(v, type(v)) if type(v) in FILLING else v for v in values]


def rebuilt(flat: Any) -> cst.Module:
    """The tree that `flattened` made this of; raises ValueError for what is none."""
    try:
        texts, rows, (lengths, members), root = flat
        pool: list[Any] = [*_CONSTANTS, *map(str, texts)]
        made = []
        for name, count, columns in rows:
            kind = _kind(name)
            nodes = list(map(object.__new__, repeat(kind, count)))
            made.append((nodes, zip(setters(kind), columns, strict=True)))
            pool += nodes
        at = pool.__getitem__
        pending = map(at, _unpacked(members))
        held = [tuple(islice(pending, length)) for length in _unpacked(lengths)]
        pool += reversed(held)
        for nodes, filled in made:
            for put, column in filled:
                _fill(put, nodes, column, at)
        tree = at(root)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise ValueError("no tree") from error
    if type(tree) is not cst.Module:
        raise ValueError("no tree of a module")
    return tree


def _fill(
    put: Callable[[Any, Any], None],
    nodes: list[Any],
    column: int | str,
    at: Callable[[int], Any],
) -> None:
    """Give a field of all nodes what stands at the numbers of its column."""
    if isinstance(column, int):
        values: Iterable[Any] = repeat(at(column))
    else:
        numbers = _unpacked(column)
        if len(numbers) != len(nodes):
            raise ValueError("not one value for each node")
        values = map(at, numbers)
    deque(map(put, nodes, values), maxlen=0)


@cache
def _kind(name: str) -> type[cst.CSTNode]:
    """The kind of node of this name; raises KeyError for what is none."""
    kind = vars(cst)[name]
    if not (isinstance(kind, type) and issubclass(kind, cst.CSTNode) and is_dataclass(kind)):
        raise KeyError(name)
    return kind


@cache
def _names(kind: type) -> tuple[str, ...]:
    """The fields of a kind of node, of each its own slot."""
    return tuple(part.name for part in fields(kind))


@cache
def setters(kind: type) -> tuple[Callable[[Any, Any], None], ...]:
    """What fills the fields of a node, in order, past what keeps them as they are."""
    return tuple(getattr(kind, name).__set__ for name in _names(kind))
