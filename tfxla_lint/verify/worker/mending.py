"""What the errors ask for that code raises on arguments: other objects, dtypes, sizes, dimensions."""

from __future__ import annotations

import re
from typing import Any, Iterator, List, Mapping, Sequence, Tuple

import tensorflow as tf

from tfxla_lint.verify.worker.guessing import LABELS, SPARSE, Choice
from tfxla_lint.verify.worker.values import BATCH, WORDS, Spec, tensor

#: What ragged tensors have and others have not.
_OF_RAGGED = frozenset(dir(tf.RaggedTensor)) - frozenset(dir(tf.Tensor))
#: Where a description stands: a parameter, and keys of what is within what it gets.
Place = Tuple[Any, ...]
#: The shapes of arguments of which no more is known than how many dimensions they have.
_SHAPES = {0: [], 1: [BATCH], 2: [BATCH, 3], 3: [BATCH, 5, 3], 4: [BATCH, 8, 8, 3]}
#: How many that may be, the likeliest first.
_RANKS = (1, 0, 2, 3, 4)
#: So many words are in a list of them.
_FEW = 9
#: Of so many parts of a list each is looked at for itself.
_PARTS = 4
_SHAPE = re.compile(r"[\[(]((?:\s*(?:\d+|None|\?)\s*,?)+)[\])]")
_DTYPES = ("float32", "float64", "float16", "int32", "int64", "uint8", "bool", "string")
#: How messages ask for one number.
_SCALAR = re.compile(
    "0-dimensional|length-1 arrays|only one element|size-1 arrays|scalar index|must be a scalar"
    "|Scalar tensor has no"
)


def answers(
    parameters: Sequence[Mapping[str, Any]], choice: Choice, message: str
) -> Iterator[Choice]:
    """Choices that may mend the error, the likeliest first."""
    yield from _for_words(parameters, choice, message)
    yield from _for_objects(choice, message)
    yield from _for_labels(choice, message)
    yield from _for_longer(parameters, choice, message)
    ranks = _ranks_in(message)
    yield from _along_others(parameters, choice, ranks)
    yield from _for_ranks(choice, message, ranks)
    yield from _for_counts(choice, message)
    yield from _for_more(choice, message)
    yield from _for_dtypes(choice, message)
    yield from _for_matrices(choice, message)
    yield from _for_shapes(choice, message)
    if not ranks:
        yield from _for_ranks(choice, message, _RANKS)


def _for_longer(
    parameters: Sequence[Mapping[str, Any]], choice: Choice, message: str
) -> Iterator[Choice]:
    """One row more of what is asked for a member behind that at which the others are."""
    if not re.search("out of (bounds|range)", message):
        return
    for parameter in parameters:
        name, more = parameter["name"], parameter.get("longer", 0)
        shape = choice.get(name, {}).get("shape") or [0]
        others = [s["shape"] for n, s in choice.items() if n != name and s.get("shape")]
        # What goes along with others mostly is of their rank.
        for rest in [s[1:] for s in (*others, shape)] if more and shape[0] == BATCH else ():
            longer = {**choice[name], "shape": [BATCH + more, *rest], "more": more}
            yield {**choice, name: longer}


def _for_words(
    parameters: Sequence[Mapping[str, Any]], choice: Choice, message: str
) -> Iterator[Choice]:
    """Words, and among them one that the message quotes and that another parameter is given."""
    known = {p["value"] for p in parameters if isinstance(p.get("value"), str)}
    quoted = [word for word in re.findall(r"['\"]([^'\"]+)['\"]", message) if word in known]
    for parameter in parameters if quoted or "ambiguous" in message or "hash" in message else ():
        if parameter.get("iterated") == 1:
            words = [*WORDS[:_FEW], *(quoted or sorted(known))]
            parts = [{"k": "word", "value": word} for word in words]
            yield {**choice, parameter["name"]: {"k": "list", "parts": parts}}


def _for_labels(choice: Choice, message: str) -> Iterator[Choice]:
    found = re.search(r"outside the valid range of \[0, (\d+)\)", message)
    if found:
        for name in _tensors(choice, "int"):
            spec = {**_at(choice, name), "low": 0, "high": int(found.group(1))}
            yield _put(choice, name, spec)
    if "one class" in message or "sparse" in message.lower() or "same rank" in message.lower():
        for name in _tensors(choice, "float"):
            if LABELS.match(name[0]):
                yield _put(choice, name, tensor([BATCH], "int32", 0, 2))


def _tensors(choice: Choice, dtype: str = "") -> List[Place]:
    """The places of tensors, also of those within dicts and short tuples and lists."""
    found: List[Place] = []
    pending: List[Tuple[Place, Spec]] = [((name,), spec) for name, spec in choice.items()]
    while pending:
        place, spec = pending.pop(0)
        if "shape" in spec and spec["dtype"].startswith(dtype):
            found.append(place)
        parts = spec.get("parts", ())
        most = 2 * _PARTS if spec["k"] == "record" else _PARTS
        if spec["k"] != "dataset" and 0 < len(parts) <= most:
            inner = parts.items() if isinstance(parts, dict) else enumerate(parts)
            pending += [((*place, key), part) for key, part in inner]
    return found


def _at(choice: Choice, place: Place) -> Spec:
    spec: Spec = choice[place[0]]
    for key in place[1:]:
        spec = spec["parts"][key]
    return spec


def _put(choice: Choice, place: Place, spec: Spec) -> Choice:
    """The choice with another description at a place."""
    for depth in range(len(place) - 1, 0, -1):
        outer = _at(choice, place[:depth])
        is_dict = isinstance(outer["parts"], dict)
        parts = dict(outer["parts"]) if is_dict else list(outer["parts"])
        parts[place[depth]] = spec
        spec = {**outer, "parts": parts}
    return {**choice, place[0]: spec}


def _for_objects(choice: Choice, message: str) -> Iterator[Choice]:
    """An argument that is the wrong kind of object."""
    attribute = re.search(r"has no attribute '(\w+)'", message)
    name = attribute.group(1) if attribute else ""
    offers: List[Spec] = []
    if name in ("trainable_variables", "trainable_weights", "variables", "weights"):
        offers = [{"k": "model"}]
    elif name in ("apply_gradients", "iterations"):
        offers = [{"k": "optimizer"}]
    elif name in ("assign", "assign_add", "assign_sub"):
        offers = [{"k": "variable"}]
    elif (
        name in ("astype", "copy", "sum", "mean", "reshape", "T", "flatten", "tolist")
        or "does not support item assignment" in message
        or "valid indices, got array" in message
    ):
        offers = [{"k": "numpy"}]
    elif "SparseTensor" in message:
        offers = [SPARSE]
    elif "StringToNumber" in message:
        rows: Spec = {**tensor([], "string"), "words": "numbers"}
        offers = [rows, {**rows, "shape": [2 * BATCH]}]
    elif "string tensor" in message:
        offers = [tensor([2 * BATCH], "string")]
    elif _SCALAR.search(message):
        offers = [{"k": "int", "value": 2}, {"k": "float", "value": 0.5}, tensor([])]
    elif "unhashable" in message or "not hashable" in message:
        offers = [
            {"k": "list", "parts": [{"k": "text", "of": "words", "place": i} for i in range(_FEW)]}
        ]
    elif "valid indices, got '" in message:
        offers = [{"k": "dict", "parts": {word: tensor([]) for word in WORDS}}]
    elif "not callable" in message:
        offers = [{"k": "function"}, {"k": "model"}]
    elif name in _OF_RAGGED:
        lengths = {"k": "ragged", "values": [2, 0, 3, 1]}
        offers = [{**tensor([BATCH], "int32", 0, 3), **lengths}, {**tensor([BATCH]), **lengths}]
    elif name in ("split", "lower", "strip", "encode"):
        offers = [
            {"k": "text"},
            {"k": "list", "parts": [{"k": "text", "place": i} for i in range(6)]},
        ]
    elif "not iterable" in message or "iterate over a scalar" in message:
        offers = [{"k": "list", "parts": [tensor([BATCH, 3])] * 3}]
    elif "cannot be interpreted as an integer" in message or "integer scalar" in message:
        offers = [{"k": "int", "value": 3}]
    for spec in offers:
        places = _tensors(choice)
        # What the message names comes first.
        places.sort(key=lambda place: not re.search(rf"\b{place[0]}\b", message))
        for place in places:
            keeps = spec["k"] in ("numpy", "variable")
            yield _put(choice, place, {**_at(choice, place), **spec} if keeps else spec)
        if spec["k"] in ("numpy", "variable", "int") and len(places) > 1:
            every = choice
            for place in _tensors(choice, "int" if spec["k"] == "int" else ""):
                every = _put(every, place, {**_at(every, place), **spec} if keeps else spec)
            yield every


def _for_dtypes(choice: Choice, message: str) -> Iterator[Choice]:
    """An argument of the wrong dtype."""
    if "valid indices" in message:
        # Places in something mostly come behind it.
        for place in _tensors(choice, "float")[::-1]:
            yield _put(choice, place, {**_at(choice, place), "dtype": "int32", "low": 0, "high": 2})
    named = [d for d in _DTYPES if re.search(rf"\b{d}\b|\b{d.replace('32', '')}\b", message)]
    if not named or ("shape" in message and "dtype" not in message and "type" not in message):
        return
    for dtype in [name for name in named if name.startswith("float")]:
        every = choice
        for place in _tensors(choice, "float"):
            every = _put(every, place, {**_at(every, place), "dtype": dtype})
        yield every
    for place in _tensors(choice):
        spec = _at(choice, place)
        for dtype in named:
            if dtype != spec["dtype"] and dtype != "string":
                low, high = (-2.0, 2.0) if dtype.startswith("float") else (0, 2)
                yield _put(choice, place, {**spec, "dtype": dtype, "low": low, "high": high})


def _for_shapes(choice: Choice, message: str) -> Iterator[Choice]:
    """Sizes that the message names: of the last dimension, or of the whole shape."""
    shapes = []
    for found in _SHAPE.findall(message):
        shapes.append([int(d) if d.isdigit() else BATCH for d in re.findall(r"\d+|None|\?", found)])
    sizes = [s[0] for s in shapes if len(s) >= 2] + [s[-1] for s in shapes if s]
    sizes += [int(n) for n in re.findall(r"(?:value|dimension|size|be|to) (\d+)\b", message)]
    yield from _with_sizes_swapped(choice, message, [d for shape in shapes for d in shape])
    for index, place in re.findall(r"slice index (\d+) of dimension (\d+) out of bounds", message):
        yield {n: _at_least(spec, int(place), int(index) + 1) for n, spec in choice.items()}
    for place in _tensors(choice):
        spec = _at(choice, place)
        for size in dict.fromkeys(sizes):
            if spec["shape"] and 0 < size <= 4096 and spec["shape"][-1] != size:
                yield _put(choice, place, {**spec, "shape": [*spec["shape"][:-1], size]})
        for shape in shapes:
            if shape != spec["shape"] and all(0 < d <= 4096 for d in shape):
                yield _put(choice, place, {**spec, "shape": shape})


def _for_counts(choice: Choice, message: str) -> Iterator[Choice]:
    """A number that is the size of something, and that has to be the other size that is named."""
    sizes = [int(n) for shape in _SHAPE.findall(message) for n in re.findall(r"\d+", shape)]
    for name, spec in choice.items():
        if spec["k"] == "int" and spec.get("value") in sizes:
            for size in sorted({*sizes} - {spec["value"]}, reverse=True):
                yield {**choice, name: {**spec, "value": size}}


def _for_more(choice: Choice, message: str) -> Iterator[Choice]:
    """A number that is the same in all calls, or beyond the sizes of what is passed, where of nothing
    there is no mean.
    """
    if "division by zero" in message:
        counts = {n: {**s, "fixed": True} for n, s in choice.items() if s["k"] == "int"}
        yield {**choice, **counts}
        for name, spec in choice.items():
            if spec["k"] == "int" and 0 < spec.get("value", 0) <= BATCH:
                yield {**choice, name: {**spec, "value": 2 * BATCH}}


def _for_matrices(choice: Choice, message: str) -> Iterator[Choice]:
    """Square matrices, and those that have a root."""
    if not re.search("must be square|Cholesky|not (invertible|positive)", message):
        return
    every = choice
    for place in _tensors(choice, "float"):
        spec = _at(choice, place)
        if len(spec["shape"]) == 2:
            square = {**spec, "shape": [BATCH, BATCH]}
            every = _put(every, place, square)
    yield every
    for place in _tensors(every, "float"):
        spec = _at(every, place)
        if len(spec["shape"]) == 2:
            every = _put(every, place, {**spec, "definite": True})
    yield every


def _at_least(spec: Spec, place: int, size: int) -> Spec:
    """The description of a tensor with so many values in one of its dimensions, if it has that."""
    shape = list(spec.get("shape", ()))
    if spec["k"] not in ("tensor", "numpy", "variable") or not 0 < place < len(shape) or size > 64:
        return spec
    return {**spec, "shape": [*shape[:place], max(size, shape[place]), *shape[place + 1 :]]}


def _with_sizes_swapped(choice: Choice, message: str, sizes: List[int]) -> Iterator[Choice]:
    """One dimension whose size the message names, with another size that it names."""
    pairs = re.findall(r"(\d+) (?:vs\.?|and|but got|!=|instead of) (\d+)", message)
    named = [int(n) for pair in pairs for n in pair] or list(dict.fromkeys(sizes))
    for place in _tensors(choice):
        shape = _at(choice, place)["shape"]
        for axis in reversed(range(len(shape))):
            for size in named if shape[axis] in named else ():
                if size != shape[axis] and 0 < size <= 4096:
                    new = [*shape[:axis], size, *shape[axis + 1 :]]
                    yield _put(choice, place, {**_at(choice, place), "shape": new})


def _ranks_in(message: str) -> List[int]:
    """The numbers of dimensions that the message asks for."""
    found = re.findall(r"\b(\d)-(?:D\b|d\b|dim)", message)
    found += [str(int(d) + 1) for d in re.findall(r"Invalid reduction dimension \(?(\d)", message)]
    found += re.findall(r"(?:n?dims?|rank)(?: (?:of|at least|be))?[ =:]+(\d)\b", message)
    # What is asked of one row, or of a row of that, its array has besides.
    least = re.findall(r">= (\d) dim|using input dim (\d)", message)
    least = [a or str(int(b) + 1) for a, b in least]
    found += [str(int(d) + more) for d in least for more in (0, 1, 2)]
    return [rank for rank in dict.fromkeys(map(int, found)) if rank <= 5]


def _along_others(
    parameters: Sequence[Mapping[str, Any]], choice: Choice, ranks: Sequence[int]
) -> Iterator[Choice]:
    """Further dimensions for one argument behind those of another, whose shape is told."""
    told = [p["name"] for p in parameters if p.get("documented")]
    shapes = {name: choice[name]["shape"] for name in told if choice[name].get("shape")}
    places = _tensors(choice) if shapes else []
    for rank in ranks:
        for name, shape in shapes.items() if rank in _SHAPES else ():
            new = [*shape, *_SHAPES[rank][len(shape) :]]
            for place in places if 1 < len(shape) < rank else ():
                if place[0] != name:
                    yield _put(choice, place, {**_at(choice, place), "shape": new})


def _for_ranks(choice: Choice, message: str, ranks: Sequence[int]) -> Iterator[Choice]:
    """Another number of dimensions; first for the argument whose shape the message shows."""
    names = _tensors(choice)
    names.sort(key=lambda name: _is_shown(_at(choice, name)["shape"], message), reverse=True)
    for rank in ranks:
        every = choice
        for place in names:
            every = _put(
                every, place, {**_at(every, place), "shape": _SHAPES.get(rank, [2, 4, 4, 4, 3])}
            )
        yield every
        for place in names:
            spec = _at(choice, place)
            if len(spec["shape"]) != rank:
                new = _SHAPES.get(rank, [2, 4, 4, 4, 3])
                yield _put(choice, place, {**spec, "shape": new})


def _is_shown(shape: List[int], message: str) -> bool:
    text = ", ".join(map(str, shape))
    return bool(shape) and (text in message or text.replace(" ", "") in message)
