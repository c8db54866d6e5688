"""What a docstring says of the shapes of parameters: "boxes [n, 4]", "two rows or more"."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from typing import Any

from tfxla_lint.verify.trees import Tree

#: Names of dimensions, or numbers, in brackets; a pair of numbers is a range. In round ones there is a comma.
_SHAPE = re.compile(
    r"(?:\[(?=[^\])]*\])|\((?=[^\])]*,[^\])]*\)))\s*(\w+(?:\s*\+\s*\d)?(?:\s*,\s*\w+(?:\s*\+\s*\d)?)*)\s*,?\s*[\])]"
)
#: What stands in round brackets and is no dimension.
_NO_SIZE = re.compile(
    r"\b(?i:ints?|floats?\d*|str|strings?|bools?|optional|defaults?|lists?|tuples?|tensors?|none|and|or)\b"
)
_OF_ALL = re.compile(r"\bof " + _SHAPE.pattern)
#: Several names before a colon: "k and v: [n, d]", "left, right: [n]".
_IN_A_ROW = re.compile(r"`{0,2}\w+`{0,2}(?:(?:, (?:and )?| and )`{0,2}\w+`{0,2})+$")
#: What stands between the last of them and what is told of all.
_OF_A_ROW = re.compile(r"`{0,2}(?::|,? (?:both )?(?:of|with|have(?: the)?) shape\b)")
#: So much may stand between a parameter and its shape; more in a line that is about it alone.
_BETWEEN, _IN_ITS_LINE = 40, 100
_ITS_LINE = re.compile(r"(?:^|\n)[ \t]*(?:[-*:]\s*)?`{0,2}$")
_WHOLE = re.compile(r"\b(ints?|int32|integers?|ids)\b")
#: What follows a parameter that is never below zero: "weights >= 0 [batch]".
_NOT_BELOW = re.compile(r"\W*(>=?|≥)\s*0")
#: What follows a shape, or stands before it, where the values have bounds: "[n] in [0, 1]", "[n] of 0/1".
_NUM = r"(-?\d+(?:\.\d+)?)"
#: The larger one may be the name of a dimension.
_END = r"(?:" + _NUM + r"|`{0,2}([a-z]\w*))"
_BEGIN = r"[\[(]?\s*" + _NUM
_RANGE = re.compile(
    r"^[\s,;:(]*(?:(?:with|values|all|each|one|lying|strictly) )*(?:in|within|between|from)\s*(?:the range\s*)?"
    + _BEGIN
    + r"\s*(?:,|\.\.|and|to)\s*"
    + _END
)
_DOTS = re.compile(r"^[\s,;:(]*(?:with )?(?:values )?" + _NUM + r"\s*\.\.\.?\s*" + _END)
#: What a square is told to be: "covariance [d, d]".
_DEFINITE = re.compile(
    r"^[^\n]*\b(?:covariances?|positive[- ](?:semi[- ]?)?definite|spd)\b", re.IGNORECASE
)
#: Whole numbers, whatever their dtype: "grades 0, 1, 2, ...", "0, 1 or 2".
_COUNTED = re.compile(r"^[\s,;:(]*(?:[a-z]+ )?0, 1,?(?: or)? 2\b")
#: What sums to one in each row.
_SHARES = re.compile(
    r"^[^.;\n]{0,30}?\b(?:softmax (?:outputs?|scores|values)|probability distributions?|probabilities|sum(?:ming|s)? to (?:1|one))\b"
)
_WITHIN = re.compile(r"\b(?:in|within|between|from)\s*\[[^\]]*\]")
#: The dtype behind a shape: "(batch, 2) integers", "(batch,) of bool".
_BEHIND = re.compile(r"\s*(?:of )?\w+")
_FROM = re.compile(r"^[\s,;:(]*(?:[a-z]+ )?(?:from|starting at|counted from) ([0-9])\b(?!\.\d)")
_BITS = re.compile(r"^[\s,;:(]*(?:of |each |either )?0s?\s*(?:/|or|and)\s*1s?\b")
#: One more value that is told by the name of a parameter: "0, 1 or ignore_label".
_OR_NAMED = re.compile(
    r"^[\s,;:(]*(?:with |of |each |either )?0s?\s*(?:/|or|and|,)\s*1s?,? or `?([a-z]\w*)"
)
#: What all are below: "class ids below num_classes", "(< vocab_size)".
_BELOW = re.compile(r"^[^.;\n]{0,30}?(?:\bbelow|\bless than|\bsmaller than|<)\s*`?([a-z]\w*)")
#: What is told to be in order.
_SORTED = re.compile(r"^(?!.{0,40}\bnot\b)[^.;\n]{0,40}?\b(?:sorted|ascending|non-?decreasing)\b")
#: What has one one in each row, and else zeros.
_ONE_HOT = re.compile(r"\bone[- ]?hot\b", re.IGNORECASE)
#: Of which shape something is that is told after another: "float tensor of the same shape".
_SAME = r"`{0,2}\s*(?:\([^)]*\))?\s*[:,(]?[^.;\n\[]{0,40}?\b(?:same shape|shape of|shaped like)(?: as| like)? ?`{0,2}(\w+)?"
#: A dtype by its name.
_NAMED = re.compile(r"\b(u?int(?:8|16|64)|float64|float16)\b")
_TEXTS = re.compile(r"\b(strings?|texts?)\b")
#: What is told of the one thing that is passed: "a 1-D string tensor".
_PLAIN = re.compile(r"\b([123])-?D (\w+ )?(?:tensors?|arrays?|vectors?|matrix|matrices)\b")
_TRUTHS = re.compile(r"\b(bools?|booleans?)\b")
#: The sizes of dimensions, by the order in which their names come up: the first is that of the batch.
_SIZES = (4, 3, 5, 2, 6)
_MOST = 64
#: What is told of a list behind its name, and what none of its members is larger than.
_LISTED = (
    r"`{0,2}(?:\s|[(:,]|\b(?:is|are|an?|the)\b)*\b(lists?|tuples?|sequences?|pairs?|triples?) of "
    r"(lists? of |tuples? of |pairs? of )?(ints?|integers?|floats?|strings?|strs?)\b(?:\s*(?:<=?|≤|up to|at most)\s*`?(\w+))?"
)
#: How docstrings say of how many things there are at least: "two cells or more", "at least two".
_NUMBER = r"\b(?i:([1-9])|(one)|(two)|(three)|(four))"
_OR_MORE = re.compile(_NUMBER + r"(?:\s+[a-z]+){0,2}\s+(?:or more|at least)\b")
_AT_LEAST = re.compile(r"\b[Aa]t least\s+" + _NUMBER + r"\b")


def documented_shapes(text: str, names: Iterable[str], one: str = "") -> dict[str, dict[str, Any]]:
    """The shapes, and dtypes where these are told, of the parameters of which a docstring tells them.

    What is told of one of several words in a row (`labels and logits [batch]`) is told of the last.
    `one` is the only parameter that has to be given, if that is so.
    """
    known: dict[str, int] = {}
    found: dict[str, dict[str, Any]] = {}
    last: tuple[int, dict[str, Any]] = (0, {})
    names = list(names)
    # Of many it says what one of them is: "each point [n, d]".
    words = {name.removesuffix("s"): name for name in names if len(name) > 2}
    words.update({name: name for name in names})
    # As a sentence begins with it: "Images are float32 [n, h, w, 3]".
    words.update({w[:1].upper() + w[1:]: name for w, name in list(words.items()) if len(w) > 2})
    every = "|".join(map(re.escape, words))
    matches = list(re.finditer(rf"\b({every})\b", text)) if every else []
    # Who writes `x[rows]` means a part of it, where more is said of it elsewhere.
    for match in sorted(matches, key=lambda match: text[match.end() : match.end() + 1] == "["):
        name, start = words[match.group(1)], match.end()
        is_own = text[start : start + 1] == ":" and _ITS_LINE.search(text, 0, match.start())
        most = _IN_ITS_LINE if is_own else _BETWEEN
        shapes = _SHAPE.finditer(text, start, start + most + 40)
        shape = next((each for each in shapes if not _is_range(each.group(1))), None)
        between = text[start : shape.start()] if shape else ""
        if shape is None or name in found or len(between) > most:
            continue
        within = _WITHIN.search(between)
        between = between.replace(within.group(), "") if within is not None else between
        if re.search(rf"\b({every})\b|[.;\[\]]|->", between):
            continue
        sizes = _sizes(shape.group(1), known)
        if sizes:
            before = text[max(0, match.start() - 12) : match.start()]
            parts = [part.strip() for part in shape.group(1).split(",")]
            # What is a number is one for all that are passed, and of a square both sides are one size.
            is_square = len(parts) == 2 and parts[0] == parts[1]
            exact = [n for n, part in enumerate(parts) if n and (is_square or part.isdigit())]
            after = _BEHIND.match(text, shape.end())
            told = _dtype_in(f"{before} {between}") or _dtype_in(after.group() if after else "")
            dtype: dict[str, Any] = dict(told)
            if not dtype and re.fullmatch(r",? (?:and )?", text[last[0] : match.start()]):
                # What is told of a first one goes for those in a row with it: "strings left [n], right [n]".
                dtype = last[1]
            last = (shape.end(), dict(dtype))
            if _NOT_BELOW.match(between):
                dtype["low"] = 0
            places = (text[shape.end() :], between, within.group() if within is not None else "")
            bounds = next(filter(None, (_bounds_in(place, known) for place in places)), None)
            if bounds is not None:
                dtype["low"], dtype["high"] = bounds
            elif (named := _OR_NAMED.match(places[0])) is not None and named.group(1) in names:
                dtype["low"], dtype["high"], dtype["or"] = 0, 1, named.group(1)
            elif (below := _BELOW.match(places[0])) is not None and below.group(1) in names:
                # A number that is passed is two in the first calls.
                dtype["low"], dtype["high"] = 0, 1
            elif _COUNTED.match(places[0]):
                dtype["low"], dtype["high"], dtype["counted"] = 0, 2, True
            elif _SHARES.match(places[0]):
                dtype["shares"] = True
            if _ONE_HOT.search(between) or _ONE_HOT.match(places[0].lstrip(" ,;:(")):
                dtype["onehot"] = True
            if _SORTED.match(places[0]):
                dtype["ascending"] = True
            if is_square:
                dtype["square"] = True
                if _DEFINITE.search(f"{between} {text[shape.end() : shape.end() + _BETWEEN]}"):
                    dtype["definite"] = True
            found[name] = {"shape": sizes, **({"exact": exact} if exact else {}), **dtype}
            end = start + len(between) - len(between.lstrip("`"))
            row = _IN_A_ROW.search(text, 0, end) if _OF_A_ROW.match(between) else None
            if row is not None and "dtype" not in dtype:
                found[name] |= _dtype_in(text[max(0, row.start() - 20) : row.start()])
            for other in re.findall(rf"\b({every})\b", row.group()) if row is not None else ():
                found.setdefault(words[other], dict(found[name]))
    for name in names if found else ():
        same = re.search(rf"\b{re.escape(name)}{_SAME}", text) if name not in found else None
        of = (
            next(reversed(found), "")
            if same is None or same.group(1) not in found
            else same.group(1)
        )
        if same is not None and of:
            shares = {"shares": True} if _SHARES.match(text[same.end() :]) else {}
            found[name] = {k: v for k, v in found[of].items() if k in ("shape", "exact")} | shares
    counted = rf"\b(?i:(one)|(two)|(three))[- ]dimensional (?:\w+ )?({every})\b"
    for *ranks, name in re.findall(counted, text) if every else ():
        rank = next(rank for rank, number in enumerate(ranks, 1) if number)
        found.setdefault(words[name], {"shape": list(_SIZES[:rank])})
    if not found:
        # That of all: "the returns of [time, environments]".
        every_one = [match.group(1) for match in _OF_ALL.finditer(text)]
        sizes = _sizes(every_one[0], known) if len(every_one) == 1 else []
        found = {name: {"shape": sizes} for name in names if sizes}
    plain = _PLAIN.findall(text) if one and not found else []
    if len(plain) == 1:
        rank, words = plain[0]
        found = {one: {"shape": list(_SIZES[: int(rank)]), **_dtype_in(words)}}
    return found


def documented_dimensions(text: str, names: Iterable[str]) -> dict[str, list[str]]:
    """The names of the dimensions of the parameters of which a docstring tells the shapes."""
    found: dict[str, list[str]] = {}
    for name in names:
        for match in re.finditer(rf"\b{re.escape(name)}\b", text):
            shape = _SHAPE.search(text, match.end(), match.end() + _BETWEEN + 40)
            between = text[match.end() : shape.start()] if shape is not None else ""
            if shape is None or len(between) > _BETWEEN or re.search(r"[.;\n]|->", between):
                continue
            found.setdefault(name, [part.strip() for part in shape.group(1).split(",")])
    return found


def documented_sizes(text: str) -> dict[str, int]:
    """The sizes that `documented_shapes` gives the dimensions that a docstring names, by their names."""
    known: dict[str, int] = {}
    for match in _SHAPE.finditer(text):
        _sizes(match.group(1), known)
    return known


def documented_lists(text: str, names: Iterable[str], one: str = "") -> dict[str, dict[str, Any]]:
    """What is told of the members of lists: "lengths (list of ints <= budget)", "`seed`, a pair of ints".

    `of` is the kind of each, `count` how many there are where that is told, and `most` the parameter that
    none of them is larger than; of lists of lists `each` says how many of these hold, or 0. `one` is the only
    parameter that has to be given and is gone through, if that is so.
    """
    found: dict[str, dict[str, Any]] = {}
    known = list(names)
    for name in known:
        # Of many it says what one of them is.
        word = f"{re.escape(name.removesuffix('s'))}s?" if len(name) > 2 else re.escape(name)
        match = re.search(rf"\b{word}\b{_LISTED}", text, re.IGNORECASE)
        if match is None and name == one:
            # What is told of nothing else is told of it: "the counts of a list of strings".
            match = re.search(rf"\bof{_LISTED}", text, re.IGNORECASE)
        if match is not None:
            kind, inner, of, most = match.groups()
            row: dict[str, Any] = {"of": _kind_of(of.lower())}
            if inner:
                row["each"] = _count_of(inner.lower())
            if _count_of(kind.lower()):
                row["count"] = _count_of(kind.lower())
            if most in known and most != name:
                row["most"] = most
            found[name] = row
    return found


def _kind_of(word: str) -> str:
    return "int" if word.startswith("int") else "float" if word.startswith("float") else "text"


def _count_of(word: str) -> int:
    """How many there are in a pair or a triple; 0 of other lists."""
    return 2 if word.startswith("pair") else 3 if word.startswith("triple") else 0


def documented_classes(text: str, name: str) -> bool:
    """Whether a docstring tells of a function that it gives a number for each of several things in the place of
    those in a row: "takes tokens [n, t] and returns logits [n, v]".
    """
    found = re.search(
        rf"\b{re.escape(name)}\b[^.;]*?\b(?:takes|gets|receives)\b([^.;]*)\b(?:returns|gives)\b([^.;]*)",
        text,
    )
    shapes = [_SHAPE.search(part) for part in found.groups()] if found is not None else []
    if len(shapes) != 2 or None in shapes:
        return False
    taken, given = ([p.strip() for p in s.group(1).split(",")] for s in shapes if s is not None)
    return len(taken) == len(given) > 1 and taken[:-1] == given[:-1] and taken[-1] != given[-1]


def _is_range(shape: str) -> bool:
    """Whether numbers in brackets are bounds, or words in them no dimensions."""
    return bool(_NO_SIZE.search(shape)) or all(p.strip().isdigit() for p in shape.split(","))


def _sizes(shape: str, known: dict[str, int]) -> list[int]:
    """The sizes of dimensions that are named; none of a range of numbers."""
    parts = [part.strip() for part in shape.split(",")]
    sizes = [_size(part, known) for part in parts]
    return sizes if max(sizes) <= _MOST and not all(map(str.isdigit, parts)) else []


def least_rows(tree: Tree, name: str) -> int:
    """How many rows a function is passed at least, as its docstring or its class's says; 0 where none does."""
    own = least_size(docstring_of(tree.functions[name]))
    owner = tree.classes.get(name.rpartition(".")[0])
    return own or (least_size(docstring_of(owner)) if owner is not None else 0)


def least_size(text: str) -> int:
    """Of how many things there are at least, as a docstring says; 0 where it does not."""
    found = [groups for way in (_OR_MORE, _AT_LEAST) for groups in way.findall(text)]
    sizes = [int(digit or words.index("".join(words)) + 1) for digit, *words in found]
    # Of several nobody knows what is meant.
    return sizes[0] if len(sizes) == 1 else 0


def docstring_of(function: ast.AST) -> str:
    """The docstring of a function or class; "" where it has none."""
    if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return ""
    return ast.get_docstring(function) or ""


def _bounds_in(text: str, known: dict[str, int]) -> tuple[float, float] | None:
    """Between which numbers values lie, where a text begins with that; the larger may be a size."""
    if _BITS.match(text):
        return (0.0, 1.0)
    match = _RANGE.match(text) or _DOTS.match(text)
    if match is None:
        first = _FROM.match(text)
        return (float(first.group(1)), float(first.group(1)) + 2) if first is not None else None
    least, most, size = match.groups()
    if size is not None and size not in known:
        return None
    low, high = float(least), float(most if size is None else known[size])
    return (low, high) if low < high else None


def _size(part: str, known: dict[str, int]) -> int:
    if part.isdigit():
        return int(part)
    if "+" in part:
        name, _, more = part.partition("+")
        return _size(name.strip(), known) + int(more)
    return known.setdefault(part, _SIZES[len(known) % len(_SIZES)])


def _dtype_in(words: str) -> dict[str, str]:
    if _TRUTHS.search(words):
        return {"dtype": "bool"}
    if _TEXTS.search(words):
        return {"dtype": "string"}
    named = _NAMED.search(words)
    if named is not None:
        return {"dtype": named.group()}
    return {"dtype": "int32"} if _WHOLE.search(words) else {}
