"""Further arguments beside those that a search found: other numbers and sizes, nothing, NaN."""

from __future__ import annotations

import functools
import itertools
import math
from types import MappingProxyType
from typing import (
    Any,
    Callable,
    Collection,
    Iterator,
    List,
    Mapping,
    Optional,
    Sequence,
    Tuple,
)

from tfxla_lint.verify.worker.guessing import Choice
from tfxla_lint.verify.worker.values import BATCH, Spec, python_value, with_batch

#: Constants beyond this make poor numbers of turns.
_LARGEST = 64
_EACH = 8
#: What is so many times as large may be more than there is.
_TIMES = 5
#: Numbers that make a loop turn, or not.
_NUMBERS = (5, 1, 0, 10, 0.5, -1, 3)
#: Another share in the place of one.
_SHARES = (0.125, 0.875)
_LARGER = 20.0
#: What asks whether something is less than one, or than a tenth, mostly means it; and nearly nothing.
SMALLER, _TINY = 0.01, 1e-4
#: Arguments that no program passes, and that mostly show nothing where only they differ.
NO_ROWS, NAN = "no rows", "NaN"
TIES = "equal values"
_NAN = math.nan
#: Between which values arrays lie of which nothing else is said.
_ANY = MappingProxyType({"low": -2.0, "high": 2.0})
#: To come to bounds: with the other sign, and far out.
FAR = (-3.0, 1000.0)
#: So many whole numbers that may mean something of their own, as -1 does for what is left out.
_MEMBERS = 3
#: So many values are NaN in turn: of what a mask leaves out one is likely among them.
_PLACES = 6
#: Of so few arguments each has one for itself, at so many places; of more, up to so many, at one.
_FLOATS, _OF_ONE, _AT_MOST = 4, 2, 8


def further_choices(
    choice: Choice,
    constants: Sequence[int],
    is_far: bool = False,
    has_negatives: bool = True,
    defaults: Mapping[str, float] = MappingProxyType({}),
    never_below: Collection[str] = (),
) -> Iterator[Choice]:
    """Choices that take other ways through the code, where the original accepts them.

    With `is_far` there are values far out, to come to bounds; only code that `has_negatives` may mean
    something by a whole number below zero, but not in arrays that are `never_below`. `defaults` are the
    numbers of parameters that are left out: a whole one may mean members of arrays.
    """
    below = [-1] if has_negatives else []
    yield wider_choice(choice)
    for factor in FAR if is_far else ():
        times = functools.partial(_larger, factor=factor)
        yield {name: _each(spec, times) for name, spec in choice.items()}
    whole = [n for n, s in choice.items() if _is_whole(s)]
    # With nothing else that makes no difference.
    some = {n: {"k": "float", "value": 0.1, "fixed": True} for n, v in defaults.items() if v == 0.0}
    plain = {**choice, **{n: s for n, s in some.items() if type(defaults[n]) is float}}
    for other, value in [(n, v) for n, v in defaults.items() if type(v) is int and v not in (0, 1)]:
        left_out: Choice = {**plain, other: {"k": "default"}}
        for name in whole:
            yield {**left_out, name: {**choice[name], "member": value}}
            # Or nothing else is in it.
            yield {**left_out, name: {**choice[name], "low": value, "high": value}}
        for name in [n for n, s in choice.items() if s["k"] == "int" and n != other]:
            yield {**left_out, name: {**choice[name], "value": value, "fixed": True}}
    ragged = [name for name, spec in choice.items() if spec["k"] == "ragged"]
    if len(ragged) > 1:
        turned = {name: {**choice[name], "turn": turn} for turn, name in enumerate(ragged)}
        yield from [{**choice, **turned}] * _MEMBERS
    # What is beside a list may be as long as it is.
    sized = [name for name, spec in choice.items() if "shape" in spec or "parts" in spec]
    for size in (1, 2 * BATCH) if len(sized) == 1 else ():
        yield {name: _as_long(spec, size) for name, spec in choice.items()}
    near = [c + step for c in constants if abs(c) <= _LARGEST for step in (0, 1, -1)]
    for name, spec in choice.items():
        if spec["k"] not in ("int", "float"):
            continue
        longer = [_TIMES * spec["value"]] if isinstance(spec.get("value"), int) else []
        if spec["k"] == "int" and spec.get("fixed"):
            # It is the same in all other calls.
            longer.insert(0, python_value(spec, 0) + 1)
        for value in list(dict.fromkeys([*below, 0, 1, *longer, *near]))[:_EACH]:
            # How often something is done nobody says by less than nothing.
            if _is_meant(value, spec) and (value >= 0 or not spec.get("counts")):
                yield {**choice, name: {**spec, "value": value, "fixed": True}}
    yield from longer_choices(choice)
    yield from recast_choices(choice)
    # What is a number where it is left out is no array.
    bare = [n for n, spec in choice.items() if spec["k"] == "default" and n not in defaults]
    for name in bare:
        yield from ({**choice, name: given} for given in _given(choice))
    for name in whole:
        for value in [*([] if name in never_below else below), *near][:_MEMBERS]:
            yield {**choice, name: {**choice[name], "member": value}}
    yield {name: with_batch(spec, 1) for name, spec in choice.items()}
    for name, spec in choice.items():
        if spec.get("star") or (spec.get("lacks") and spec.get("parts")):
            yield {**choice, name: {**spec, "parts": [*spec["parts"][:-1], {"k": "none"}]}}
            if spec.get("lacks"):
                yield {**choice, name: {**spec, "parts": [{"k": "none"}] * len(spec["parts"])}}
            yield {**choice, name: {**spec, "parts": []}}
    times = functools.partial(_larger, factor=_LARGER)
    yield {name: _each(spec, times) for name, spec in choice.items()}
    yield {name: _each(spec, lambda s: {**s, "zeros": True}) for name, spec in choice.items()}
    scalars = [n for n, s in choice.items() if s["k"] == "tensor" and s["shape"] == []]
    for name in scalars:
        values = list(dict.fromkeys([0, *near]))[:_EACH]
        far = [2 * c for c in constants if abs(c) > _LARGEST][:_MEMBERS]
        for value in [*values, *far]:
            yield {**choice, name: {**choice[name], "low": value, "high": value}}


def _as_long(spec: Spec, size: int) -> Spec:
    """A list of so many numbers in the place of one of several; anything else as it is."""
    parts = spec.get("parts", ())
    is_of_numbers = spec["k"] == "list" and all(part["k"] in ("int", "float") for part in parts)
    if not is_of_numbers or len(parts) < 2:
        return spec
    return {**spec, "parts": list(itertools.islice(itertools.cycle(parts), size))}


def tied_choice(choice: Choice, compared: Sequence[float]) -> Choice:
    """The choice with few different floats: those that code compares with, and single ones among them."""
    single = {n: s for n, s in choice.items() if s["k"] == "float"}
    fixed = {n: {**s, "value": round(8 * (s.get("value") or 0.25)) / 8} for n, s in single.items()}
    levels = [*compared, *(s["value"] for s in fixed.values())]
    tied = {n: _each(s, lambda spec: _tied(spec, levels)) for n, s in choice.items()}
    return {**tied, **{n: {**s, "fixed": True} for n, s in fixed.items()}}


def _tied(spec: Spec, levels: Sequence[float]) -> Spec:
    is_any = spec["dtype"].startswith("float") and not spec.get("counted")
    return {**spec, "levels": levels} if is_any else spec


def _nothing(spec: Spec) -> Spec:
    """An array of zeros, or of the least that a docstring lets it hold."""
    least = max(0, spec.get("least", 0))
    return {**spec, "low": least, "high": least}


def near_choice(choice: Choice, factor: float = _TINY) -> Choice:
    """The choice with floats that are nearly nothing, or so many times as large."""
    times = functools.partial(_larger, factor=factor)
    return {name: _each(spec, times) for name, spec in choice.items()}


def bare_choices(choice: Choice) -> Iterator[Choice]:
    """Choices without values: zeros, no rows, one NaN, NaN. What is NaN stays in variables.

    It is in one argument alone at first: where all have it, a mask of one hides it in none.
    """
    yield {name: _each(spec, _nothing) for name, spec in choice.items()}
    yield {name: with_batch(spec, 0) for name, spec in choice.items()}
    # Or one of several things has none: there may be no objects in a picture.
    sizes = list(dict.fromkeys(s["shape"][0] for s in choice.values() if s.get("shape")))
    for size in sizes if len(sizes) > 1 else ():
        yield {name: _without(spec, size) for name, spec in choice.items()}
    floats = [name for name, spec in choice.items() if _each(spec, _none) != spec]
    for name in floats if 1 < len(floats) <= _AT_MOST else ():
        for place in range(_OF_ONE if len(floats) <= _FLOATS else 1):
            yield {**choice, name: _each(choice[name], functools.partial(_none, place=place))}
    for place in range(_PLACES):
        a_nan = functools.partial(_none, place=place)
        yield {name: _each(spec, a_nan) for name, spec in choice.items()}
    yield {name: _each(spec, _none) for name, spec in choice.items()}


def _without(spec: Spec, size: int) -> Spec:
    """An array without rows in the place of one that has so many."""
    shape = spec.get("shape")
    return {**spec, "shape": [0, *shape[1:]]} if shape and shape[0] == size else spec


def numbered_choices(choice: Choice) -> Iterator[Choice]:
    """Choices with another number in the place of each single one."""
    for value in _SHARES:
        for name in [name for name, spec in choice.items() if _is_share(spec)]:
            yield {**choice, name: {**choice[name], "value": value}}
    for value in _NUMBERS:
        for name, spec in choice.items():
            if spec["k"] in ("int", "float"):
                if _is_meant(value, spec):
                    yield {**choice, name: {**spec, "value": value}}
            elif spec["k"] == "tensor" and spec["shape"] == []:
                yield {**choice, name: {"k": "float", "value": value}}
                yield {**choice, name: {**spec, "low": value, "high": 1.25 * value}}


def _is_meant(value: float, spec: Spec) -> bool:
    """Whether a number lies between those that a docstring tells."""
    return bool(spec.get("least", value) <= value <= spec.get("most", value))


def _is_share(spec: Spec) -> bool:
    value = spec.get("value")
    return spec["k"] == "float" and type(value) is float and 0.0 < value < 1.0


def given_choices(choice: Choice, numbers: Collection[str] = ()) -> Iterator[Choice]:
    """Choices in which something is given that was left out, such as a mask, also of wider arguments.

    What is one of `numbers` where it is left out is no array.
    """
    for base in (choice, wider_choice(choice)):
        left_out = [name for name, spec in base.items() if spec["k"] == "default"]
        for name in [name for name in left_out if name not in numbers]:
            yield from ({**base, name: given} for given in _given(base))


def worded_choices(
    choice: Choice, parameters: Sequence[Mapping[str, Any]], words: Sequence[Any]
) -> Iterator[Choice]:
    """Choices with another text that code names for each parameter that is a word, or is left out as one."""
    for parameter in parameters:
        name = parameter["name"]
        known = choice.get(name, {})
        value = parameter.get("value") if known.get("k") == "default" else known.get("value")
        if known.get("k") in ("default", "word") and isinstance(value, str):
            # What it is held against, or is told that it may be, and else what the code names.
            others = [w for w in parameter.get("words") or words if isinstance(w, str)]
            for word in [w for w in dict.fromkeys(others) if w != value][:_EACH]:
                yield {**choice, name: {"k": "word", "value": word}}


def otherwise_bare(
    bare: Choice, parameters: Sequence[Mapping[str, Any]], lost: Sequence[str]
) -> Iterator[Choice]:
    """The choice with another number for each parameter that a version takes and does not read."""
    for parameter in parameters:
        value = bare.get(parameter["name"], {}).get("value", parameter.get("value"))
        if parameter["name"] not in lost or isinstance(value, bool):
            continue
        if isinstance(value, (int, float)):
            kind = type(value).__name__
            yield {**bare, parameter["name"]: {"k": kind, "value": value + 1, "fixed": True}}


def made_otherwise(
    parameters: Sequence[Mapping[str, Any]], known: Choice, words: Sequence[Any]
) -> Iterator[Tuple[str, Spec]]:
    """Larger numbers for what an object is made with, and other values for what it need not be made with,
    the likeliest to matter first.
    """
    rows = [(p["name"], p.get("value")) for p in parameters if p.get("default")]
    rows = [(name, value) for name, value in rows if name in known]
    for parameter in parameters:
        spec = known.get(parameter["name"], {})
        if spec.get("k") == "int" and not parameter.get("default"):
            # Of what holds so many more than are put in shows how many there are.
            yield parameter["name"], {**spec, "value": _TIMES * max(1, spec.get("value") or 0)}
    for name, value in rows:
        if isinstance(value, bool):
            yield name, {"k": "bool", "value": not value}
    for name, value in rows:
        if value is None:
            # Nothing is not the same as none.
            kinds = (("int", 0), ("int", 1), ("float", 0.5))
            yield from ((name, {"k": k, "value": v}) for k, v in kinds)
            # Or a number for each of so many things.
            counts = [s["value"] for s in known.values() if type(s.get("value")) is int]
            for count in dict.fromkeys(n for n in counts if 0 < n <= _EACH):
                yield name, {"k": "list", "parts": [_some(n) for n in range(count)]}
        elif isinstance(value, str):
            others = [w for w in words if isinstance(w, str) and w != value]
            yield from ((name, {"k": "word", "value": word}) for word in others[:_MEMBERS])
    for name, value in rows:
        if type(value) is int:
            yield name, {"k": "int", "value": value + 1}
        elif isinstance(value, float):
            # A share stays one.
            more = (0.5 * value + 0.5, 0.5 * value)
            if not 0 < value < 1:
                more = (1.5 * value + 0.25, value + 1.0)
            yield from ((name, {"k": "float", "value": other}) for other in more)


def _some(place: int) -> Spec:
    return {"k": "float", "value": 0.5 + 0.25 * place, "fixed": True}


def refused_choices(choice: Choice) -> Iterator[Choice]:
    """Choices that code may say that it does not take: of other lengths, sizes, nothing, less."""
    for name, spec in choice.items():
        if spec["k"] in ("list", "tuple") and spec["parts"]:
            yield {**choice, name: {**spec, "parts": spec["parts"][:-1]}}
            yield {**choice, name: {**spec, "parts": []}}
        elif spec["k"] in ("int", "float", "default"):
            kind = "int" if spec["k"] == "default" else spec["k"]
            for value in (-1, 0, 2, 1000):
                yield {**choice, name: {**spec, "k": kind, "value": value, "fixed": True}}
        elif with_batch(spec, 2) != spec:
            yield {**choice, name: with_batch(spec, 2)}
            yield {**choice, name: {**spec, "shape": [*spec.get("shape", ()), 2]}}
            yield {**choice, name: {**spec, "shape": spec.get("shape", ())[:-1]}}
        elif spec["k"] == "text":
            yield {**choice, name: {"k": "text", "of": "words", "place": 1}}
        elif spec["k"] == "word":
            yield {**choice, name: {**spec, "value": f"{spec['value']}_"}}
    yield {name: with_batch(spec, 0) for name, spec in choice.items()}
    yield {name: _each(spec, _nothing) for name, spec in choice.items()}
    yield {name: _each(spec, _none) for name, spec in choice.items()}
    yield {
        name: _each(spec, functools.partial(_larger, factor=-1.0)) for name, spec in choice.items()
    }


def _given(choice: Choice) -> Iterator[Spec]:
    """What may be passed where nothing was: masks of what else is passed, or the like of it."""
    shapes = [s["shape"] for s in choice.values() if s["k"] == "tensor" and s["shape"]]
    for shape in shapes[:1]:
        for rank in dict.fromkeys([min(2, len(shape)), 1, len(shape)]):
            yield {"k": "tensor", "shape": shape[:rank], "dtype": "bool"}
            yield {
                "k": "tensor",
                "shape": shape[:rank],
                "dtype": "float32",
                "low": 0.1,
                "high": 0.9,
            }


def _is_whole(spec: Spec) -> bool:
    """Whether it is an array of whole numbers, such as ids."""
    is_array = spec["k"] in ("tensor", "numpy") and bool(spec["shape"])
    return is_array and spec["dtype"].startswith("int") and not spec.get("bounded")


def _larger(spec: Spec, factor: float) -> Spec:
    if not spec["dtype"].startswith("float") or spec.get("bounded"):
        return spec
    if "least" in spec:
        # Never below that, as the docstring says.
        factor = abs(factor)
    return {**spec, "low": factor * spec["low"], "high": factor * spec["high"]}


def _none(spec: Spec, place: Optional[int] = None) -> Spec:
    """NaN for all values, or for the one at a place; rows that sum to one, as is told, have none."""
    is_open = spec["dtype"].startswith("float") and not (spec.get("shares") or spec.get("onehot"))
    return {**spec, "odd": _NAN, "place": place} if is_open else spec


def infinite_choice(choice: Choice) -> Choice:
    """The choice with infinity wherever NaN is; the same where that is nowhere."""
    return {name: _each(spec, _infinite) for name, spec in choice.items()}


def odd_count(choice: Choice) -> int:
    """How many arguments hold what is no number; none where one holds nothing else."""
    odd: List[Spec] = []
    for spec in choice.values():
        _each(spec, lambda s: odd.append(s) or s if "odd" in s else s)  # type: ignore[func-returns-value]
    return len(odd) if all(spec["place"] is not None for spec in odd) else 0


def _infinite(spec: Spec) -> Spec:
    return {**spec, "odd": math.inf} if "odd" in spec else spec


def _each(spec: Spec, change: Callable[[Spec], Spec]) -> Spec:
    """A description with the tensors in it changed."""
    if spec["k"] in ("tensor", "numpy", "sparse", "ragged"):
        return change(spec)
    if spec["k"] == "pairs":
        # It is the gradients that change, of the same variables.
        return change({**_ANY, **spec})
    if spec["k"] == "lengths":
        is_zero = change({"dtype": "int32", "low": 1})["low"] == 0
        return {**spec, "values": [0] * BATCH} if is_zero else spec
    if spec["k"] in ("list", "tuple"):
        return {**spec, "parts": [_each(part, change) for part in spec["parts"]]}
    if spec["k"] == "dict":
        return {**spec, "parts": {k: _each(p, change) for k, p in spec["parts"].items()}}
    return spec


def longer_choices(choice: Choice) -> Iterator[Choice]:
    """Choices in which a size other than the batch's is larger, wherever it stands, but for those of
    which code asks for each by its place.
    """
    arrays = [s for s in choice.values() if s["k"] in ("tensor", "numpy")]
    sizes = [d for s in arrays for d in s["shape"][1:]]
    exact = {
        s["shape"][axis] for s in arrays for axis in s.get("exact", ()) if axis < len(s["shape"])
    }
    for size in [size for size in dict.fromkeys(sizes) if size not in exact]:

        def longer(spec: Spec, size: int = size) -> Spec:
            if "shape" not in spec:
                return spec
            rest = [d + 1 if d == size else d for d in spec["shape"][1:]]
            return {**spec, "shape": [*spec["shape"][:1], *rest]}

        yield {name: _each(spec, longer) for name, spec in choice.items()}


def recast_choices(choice: Choice) -> Iterator[Choice]:
    """Choices with arrays of another dtype where code casts them."""
    for name, spec in choice.items():
        if spec.get("recast"):
            yield {**choice, name: _each(spec, _recast)}


def _recast(spec: Spec) -> Spec:
    dtype = str(spec["dtype"])
    if dtype.startswith("float"):
        return {**spec, "dtype": "float16"}
    return {**spec, "dtype": "int64" if dtype == "int32" else dtype}


def true_choice(choice: Choice) -> Choice:
    """The choice with each single truth value true, in call after call."""
    return {name: _true(spec) for name, spec in choice.items()}


def _true(spec: Spec) -> Spec:
    if spec["k"] == "bool":
        return {**spec, "value": True, "fixed": True}
    is_one = spec["k"] in ("tensor", "numpy") and spec["dtype"] == "bool" and not spec["shape"]
    return {**spec, "low": 1, "high": 1} if is_one else spec


def wider_choice(choice: Choice) -> Choice:
    """The choice with one dimension more in each tensor that has at least two."""
    return {
        name: {**spec, "shape": [spec["shape"][0], 2, *spec["shape"][1:]]}
        if spec["k"] in ("tensor", "numpy") and len(spec["shape"]) > 1
        else spec
        for name, spec in choice.items()
    }


def fewer_dimensions(choice: Choice) -> Iterator[Choice]:
    """Choices in which what is in lists has one dimension, or none, where how many is only guessed."""
    for shape in ([], [BATCH]):
        for name, spec in choice.items():
            parts = spec.get("parts") if spec["k"] in ("list", "tuple") else None
            if parts and all(part.get("guess") for part in parts):
                yield {**choice, name: {**spec, "parts": [{**p, "shape": shape} for p in parts]}}


def arrays_for_lists(choice: Choice) -> Iterator[Choice]:
    """Choices with one array of several dimensions for a list of guessed ones."""
    for shape in ([BATCH, 3], [BATCH, 5, 3], [BATCH]):
        for name, spec in choice.items():
            parts = spec.get("parts") if spec["k"] == "list" else None
            if parts and all(part.get("guess") for part in parts):
                yield {**choice, name: {**parts[0], "shape": shape}}


def one_of_rows(choice: Choice, told: Collection[str]) -> Iterator[Choice]:
    """Choices with one array of more dimensions, for a list of guessed ones, too.

    The others are as they are, or have one number for each of its rows, or for each row of all in it, unless
    something is `told` of them.
    """
    for shape in ([BATCH, 8, 8, 3], [BATCH, 5, 3], [BATCH, 3]):
        for name, spec in choice.items():
            one = _as_array(spec, shape)
            if one != spec:
                yield {**choice, name: one}
                for own in ([BATCH], shape[:-1]):
                    rest = {n: s if n in told else _as_array(s, own) for n, s in choice.items()}
                    yield {**rest, name: one}


def has_fewer(choice: Choice, further: Choice) -> bool:
    """Whether a whole number above zero is zero, or less, in the further choice."""
    known = {name: spec.get("value", 1) for name, spec in choice.items() if spec["k"] == "int"}
    return any(
        spec["k"] == "int" and known.get(name, 0) > 0 >= spec.get("value", 1)
        for name, spec in further.items()
    )


def is_numbered(choice: Choice, further: Choice) -> bool:
    """Whether further arguments differ from others in nothing but whole numbers, or those in an array."""
    changed = [(choice[name], spec) for name, spec in further.items() if spec != choice[name]]
    return bool(changed) and all(
        spec["k"] == known["k"]
        and (spec["k"] == "int" or (_is_whole(spec) and spec["shape"] == known["shape"]))
        for known, spec in changed
    )


def is_below(choice: Choice) -> bool:
    """Whether a whole number in an array is less than zero: it is no place, or one from the end."""
    return any(spec.get("member", 0) < 0 for spec in choice.values())


def whole_choice(choice: Choice, told: Collection[str]) -> Choice:
    """The choice with whole numbers in all arrays of which nothing is `told`."""
    return {n: s if n in told else _each(s, _whole) for n, s in choice.items()}


def _whole(spec: Spec) -> Spec:
    is_float = spec["dtype"].startswith("float")
    return {**spec, "dtype": "int32", "low": 0, "high": 3} if is_float else spec


def whole_choices(choice: Choice) -> Iterator[Choice]:
    """Choices with whole numbers in one array of others, as for places in something."""
    for name, spec in choice.items():
        one = _as_array(spec, spec.get("shape", [BATCH]))
        if str(one.get("dtype")).startswith(("float", "bool")):
            yield {**choice, name: {**one, "dtype": "int32", "low": 0, "high": 2}}


def _as_array(spec: Spec, shape: List[int]) -> Spec:
    """An array of a shape for another one, or for a list of guessed ones; anything else as it is."""
    parts = spec.get("parts") if spec["k"] == "list" else None
    if parts and all(part.get("guess") for part in parts):
        return {**parts[0], "shape": shape}
    return {**spec, "shape": shape} if spec.get("shape") else spec
