"""Looks for arguments that the original accepts: first guesses, then what its errors ask for."""

from __future__ import annotations

import re
import time
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Tuple

import numpy as np
import tensorflow as tf

from tfxla_lint.verify.worker.values import BATCH, VARIABLES, WORDS, Spec, tensor

#: Where a description stands: a parameter, and keys of what is within what it gets.
Place = Tuple[Any, ...]
#: One choice of arguments: a description for each parameter.
Choice = Dict[str, Spec]
#: Tries a choice: the error's type, its message, and the line of the user's code that it came to.
Try = Callable[[Choice], Tuple[str, str, int]]

TRIES = 120
_SECONDS = 25.0
_TURNS = 3
#: What a choice gives for which all calls come out the same; so many others are tried then.
CONSTANT = "constant"
_MORE = 30
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
_ABSENT = re.compile(r"module '[\w.]+' has no attribute|No module named|name '\w+' is not defined")
_LABELS = re.compile(
    r"^(y|y_(?!pred|hat|prob|score)\w*|\w*label\w*|\w*target\w*|\w*true\w*|\w*class\w*|gt)$"
)
_INDICES = re.compile(
    r"^(\w*(action|index|indices|idx|token|ids|word|user|item|context)\w*|(\w+_)?id|i|k)$"
)
_COUNTS = re.compile(
    r"^(epochs?|n|m|k|num\w*|n_\w+|\w*steps?|\w*size|\w*dim|\w*count|iter\w*|seed|max_\w+|depth)$"
)
_PER_ROW = re.compile(
    r"^(\w*(reward|done|terminal|return|advantage|discount|log_?prob|sample_weight)s?|values)$"
)
_RATES = re.compile(
    r"^(lr|\w*rate|alpha|beta\w*|gamma|eps\w*|momentum|decay|scale|\w*weight|tau|sigma|"
    r"temperature|lam\w*|weight_decay|clip\w*|threshold|factor|h|dt)$"
)
_FLAGS = re.compile(r"^(training|verbose|debug|is_\w+|use_\w+|\w*flag|reverse|normali[sz]e\w*)$")
_OF_TEXTS = frozenset(dir(str))
_OF_DICTS = frozenset(dir(dict))
_SPARSE: Spec = {**tensor([BATCH, 3]), "k": "sparse"}
_VARIABLES: Spec = {**tensor([]), "k": "variables"}
#: How variables are updated.
_UPDATING = frozenset(name for name in dir(tf.Variable) if name.startswith("assign"))
#: Calls, with the place of what says which values count.
_MASKED = re.compile(r"(boolean_mask:(1|mask)|where:(0|condition)|logical_(not|and|or):\d)$")
_OF_TENSORS = frozenset(dir(tf.Tensor)) | frozenset(dir(tf.Variable)) | frozenset(dir(np.ndarray))
_MODELS = re.compile(r"model|net|generator|discriminator|encoder|decoder|critic|actor|policy|cell")
_NAMED_VARIABLES = re.compile(r"(variables|weights|params|parameters)$")
_LOSSES = re.compile(r"loss|criterion|objective|cost")


class Search:
    """A bounded best-first search over choices of arguments."""

    def __init__(
        self, job: Mapping[str, Any], namespace: Mapping[str, Any], most: int = TRIES
    ) -> None:
        self._most = most
        self._parameters: List[Dict[str, Any]] = job["parameters"]
        self._dims: List[int] = [d for d in job.get("dims", ()) if 1 < d <= 1024][:12]
        self._inputs = model_inputs(namespace)
        self._is_sparse = bool(job.get("sparse"))
        #: Whether it is asked at which place the largest of several numbers is.
        self._has_places = bool(job.get("places"))
        self._makes = bool(job.get("makes_object"))
        self._divides = bool(job.get("divides"))
        self._seen: Dict[str, None] = {}
        self._deadline = time.monotonic() + _SECONDS
        self.tries = 0
        self.last_error = ""

    def run(self, attempt: Try) -> Optional[Choice]:
        """A choice that the original accepts, or None."""
        first = list(self._first())
        #: What errors ask for, with how far the choice came that failed so.
        pending: List[Tuple[int, Choice]] = []
        fallback: Optional[Choice] = None
        while (first or pending) and self.tries < self._most and self._has_time:
            # What an error asks for may lead astray: first guesses take turns with it.
            is_first = first and (not pending or self.tries % _TURNS == 0)
            choice = first.pop(0) if is_first else pending.pop(0)[1]
            if self._known(choice):
                continue
            self.tries += 1
            kind, message, line = attempt(choice)
            if kind == "":
                return choice
            if kind == CONSTANT:
                # It may be that what is passed fits together by chance only.
                fallback = fallback or choice
                self._most = min(self._most, self.tries + _MORE)
            if kind == "NaN":
                fallback = fallback or choice
                pending.insert(0, (line, _positive(choice)))
                continue
            self.last_error = f"{kind}: {message}" if message else self.last_error
            if _ABSENT.match(message):
                # No argument helps where TensorFlow itself lacks something.
                break
            pending[:0] = [(line, other) for other in list(self._answers(choice, message))[:8]]
            # What comes farther is nearer to what is asked for.
            pending.sort(key=lambda row: -row[0])
        return fallback

    @property
    def _has_time(self) -> bool:
        return time.monotonic() < self._deadline

    def _known(self, choice: Choice) -> bool:
        key = repr(sorted(choice.items()))
        if key in self._seen:
            return True
        self._seen[key] = None
        return False

    # First guesses

    def _first(self) -> Iterator[Choice]:
        options = {p["name"]: self._options(p) for p in self._parameters}
        base = {name: found[0] for name, found in options.items()}
        yield base
        for shape in self._shapes():
            yield {n: _reshaped(s, shape) if _is_guess(s) else s for n, s in base.items()}
        # Labels, too, may have the shape of what they are held against.
        like = {
            n: next((o for o in found if _is_float(o)), None) if "shape" in found[0] else None
            for n, found in options.items()
        }
        for shape in self._shapes():
            changed = {n: {**s, "shape": shape} for n, s in like.items() if s is not None}
            yield {**base, **changed}
        for place in range(1, max(map(len, options.values()), default=0)):
            yield {n: found[min(place, len(found) - 1)] for n, found in options.items()}
        for name, found in options.items():
            for option in found[1:]:
                yield {**base, name: option}

    def _shapes(self) -> List[List[int]]:
        known = [[BATCH, *shape] for shape in self._inputs]
        wide = [[BATCH, d] for d in self._dims[:4]]
        return [*known, [BATCH, 3], [BATCH], [], *wide, [BATCH, 8, 8, 3], [BATCH, 5, 3], [3, 3]]

    def _options(self, parameter: Mapping[str, Any]) -> List[Spec]:
        given = parameter.get("spec")
        if given is not None:
            return [given]
        if parameter.get("text"):
            return [{"k": "text", "of": "words"}, {"k": "text"}]
        if parameter.get("star"):
            # As many as are passed, of what one of them may be.
            member = {"star": False, "iterated": None, "attributes": parameter["of_members"]}
            each = [*self._options({**parameter, **member}), self._mask(), {"k": "text"}]
            several = [*([spec] * 2 for spec in each), each[:1]]
            return [{**_listed(parts), "star": True} for parts in several]
        own: List[Spec] = [{"k": "own", "class": c} for c in parameter.get("own", ())]
        if type(parameter.get("value")) in (list, int, float):
            # Numbers that are written beside a parameter say what it takes.
            return [*own, *self._of_default(parameter), {"k": "default"}]
        by_use = self._by_use(parameter)
        called: List[Spec] = [{"k": "own", "class": c} for c in parameter.get("callable", ())]
        if own or by_use is not None:
            return [*own, *(by_use or []), *called]
        name = parameter["name"].lower().lstrip("_")
        if parameter.get("default"):
            return [*self._of_default(parameter), {"k": "default"}]
        if _FLAGS.match(name):
            return [{"k": "bool", "value": True}]
        if parameter.get("counts") or _COUNTS.match(name):
            count: Spec = {"k": "int", "value": self._size(parameter, 2)}
            if parameter.get("counts"):
                count["counts"] = True
            return [count, self._guess()]
        if _RATES.match(name):
            return [{"k": "float", "value": 0.1}, self._guess()]
        if name == "data" and parameter.get("iterated") is None:
            pairs: List[Spec] = [
                {"k": "tuple", "parts": [self._guess(), label]} for label in self._labels()
            ]
            return [pairs[0], self._guess(), *pairs[1:]]
        if self._makes:
            place = [p["name"] for p in self._parameters].index(parameter["name"])
            size: Spec = {"k": "int", "value": self._size(parameter, 2 + place)}
            plain: List[Spec] = [size, {"k": "float", "value": 0.5}, self._guess()]
            return [*plain, *self._labels()] if _LABELS.match(name) else plain
        if _LABELS.match(name):
            return self._labels()
        if _PER_ROW.match(name) and parameter.get("iterated") is None:
            return [tensor([BATCH], "float32", 0.0, 1.0), self._guess()]
        if _INDICES.match(name):
            one: List[Spec] = [{"k": "int", "value": 1}] if name.endswith("id") else []
            return [tensor([BATCH], "int32", 0, 2), *one, self._guess()]
        if "rank" in parameter:
            shape = [BATCH, 3, 2, 2][: parameter["rank"]]
            return [tensor(shape), tensor(shape, "int32", 0, 3), self._guess()]
        return [self._guess(), tensor([BATCH, 3], "int32", 0, 3)]

    def _size(self, parameter: Mapping[str, Any], plain: int) -> int:
        """A number for what an object is made with: a plain one, or one that the next divides."""
        names = [p["name"] for p in self._parameters]
        if not self._divides or parameter["name"] not in names:
            return plain
        return int(2 ** (len(names) - names.index(parameter["name"]) + 1))

    def _by_use(self, parameter: Mapping[str, Any]) -> Optional[List[Spec]]:
        """What the function does with the parameter says what it is."""
        name, uses = parameter["name"].lower(), set(parameter.get("attributes", ()))
        by_callee = self._by_callee(parameter)
        if by_callee is not None:
            return by_callee
        if uses & {"indices", "dense_shape"} and not parameter.get("methods"):
            return [_SPARSE]
        if parameter.get("methods") and uses <= _OF_DICTS:
            return [{"k": "dict", "parts": {key: self._guess() for key in ("a", "b")}}]
        if uses and uses <= _OF_TEXTS:
            return [{"k": "text"}]
        if uses & {"apply_gradients", "minimize", "learning_rate"}:
            return [{"k": "optimizer"}]
        if uses & {"variables", "trainable_variables", "trainable_weights", "weights", "layers"}:
            return self._models()
        if uses & {"update_state", "result", "reset_state", "reset_states"}:
            return [{"k": "metric"}]
        if uses & _UPDATING:
            return [{**self._guess(), "k": "variable"}]
        if uses & {"batch", "take", "map", "prefetch", "element_spec", "repeat", "cardinality"}:
            return self._datasets(parameter)
        if uses & {"append", "extend"}:
            return [{"k": "list", "parts": []}]
        plain: Spec = {"k": "function", "returns": parameter.get("returns")}
        if parameter.get("called_bare"):
            # A loss, with its gradients.
            pair: List[Spec] = [{**plain, "differentiates": True}] if plain["returns"] == 2 else []
            return [plain, *pair, *self._models()]
        if parameter.get("called"):
            if _LOSSES.search(name):
                sparse = {"k": "loss", "loss": "SparseCategoricalCrossentropy"}
                return [{"k": "loss"}, sparse, {"k": "function"}]
            if _MODELS.search(name):
                return self._models()
            return [plain, {**plain, "classes": 5}, *self._models(), {"k": "metric"}]
        if parameter.get("keys"):
            updated = _UPDATING & set(parameter.get("of_members", ()))
            member: Spec = {**self._guess(), "k": "variable"} if updated else self._guess()
            return [{"k": "dict", "parts": dict.fromkeys(parameter["keys"], member)}]
        if parameter.get("iterated") is not None:
            if _UPDATING & set(parameter.get("of_members", ())):
                return [_VARIABLES]
            if _NAMED_VARIABLES.search(name):
                return [_VARIABLES, *self._datasets(parameter)]
            return self._datasets(parameter)
        if uses and not uses & _OF_TENSORS and not parameter.get("methods"):
            fields = {use: self._options({"name": use})[0] for use in sorted(uses)}
            return [{"k": "record", "parts": fields}]
        return None

    def _by_callee(self, parameter: Mapping[str, Any]) -> Optional[List[Spec]]:
        """What the functions that it is passed to ask for."""
        passed = [callee.rpartition(".")[2] for callee in parameter.get("passed", ())]
        lengths: Spec = {"k": "lengths", "values": [2, 0, 1, 1], "dtype": "int32"}
        is_pairs = parameter["name"] == "grads_and_vars"
        if is_pairs or "apply_gradients:0" in passed or "zip:*" in passed:
            return [{"k": "pairs", "dtype": "float32"}]
        if {"clip_by_global_norm:0", "global_norm:0", "add_n:0"} & set(passed):
            return [{"k": "list", "parts": [self._guess(), self._guess()]}]
        if any(".strings." in callee for callee in parameter.get("passed", ())):
            return [tensor([2 * BATCH], "string"), {"k": "text"}]
        if any(".sparse." in callee for callee in parameter.get("passed", ())):
            return [_SPARSE]
        if {"sequence_mask:0", "from_row_lengths:1", "from_row_lengths:row_lengths"} & set(passed):
            return [lengths]
        if {"from_row_splits:1", "from_row_splits:row_splits"} & set(passed):
            return [{**lengths, "values": [0, 2, 2, 3, 4]}]
        if parameter.get("members_tested") or any(map(_MASKED.match, passed)):
            return [self._mask(), tensor([BATCH], "bool"), self._guess()]
        if {"gather:1", "embedding_lookup:1", "one_hot:0"} & set(passed):
            return [tensor([BATCH], "int32", 0, 2), self._guess()]
        if {"gradient:1", "gradient:sources"} & set(passed) and not parameter.get("keys"):
            return [_VARIABLES, {**self._guess(), "k": "variable"}]
        if {"float:0", "int:0"} & set(passed):
            size = self._size(parameter, 2)
            return [{"k": "int", "value": size}, {"k": "float", "value": 0.5}, tensor([])]
        return None

    def _models(self) -> List[Spec]:
        outs = (3, 1) if self._is_sparse or self._has_places else (1, 3)
        return [{"k": "model", "in": [3], "out": out} for out in outs]

    def _datasets(self, parameter: Mapping[str, Any]) -> List[Spec]:
        """A data set, and for loops over plain sequences a list or a tensor."""
        count = parameter.get("iterated") or 1
        first = self._guess()
        if count == 1:
            listed: Spec = {"k": "list", "parts": [first, first, first]}
            numbers: Spec = {**tensor([BATCH]), "k": "numpy"}
            rows = [[{"k": "int", "value": i, "fixed": True} for i in range(n)] for n in (3, 1, 2)]
            nested = _listed(_listed(row) for row in rows)
            # What two parameters hold has some in common, and some not.
            names = [p["name"] for p in self._parameters]
            place = names.index(parameter["name"]) if parameter["name"] in names else 0
            turned = [(3, 1, 2)[(place + i) % 3] for i in range(3)]
            pairs = _listed(
                _listed(_listed([number] * 2) for number in rows[0][:n]) for n in turned
            )
            #: As long as variables, and of their shapes.
            gradients: Spec = {"k": "list", "parts": [tensor(s) for s in VARIABLES]}
            guess = [
                {"k": "dataset", "parts": [first]},
                listed,
                first,
                gradients,
                numbers,
                nested,
                pairs,
            ]
            return guess if re.search("data|(^|_)ds|loader|batch", parameter["name"]) else guess[1:]
        rest = [first] * (count - 2)
        sets: List[Spec] = [
            {"k": "dataset", "parts": [first, label, *rest]} for label in self._labels()
        ]
        pair: Spec = {"k": "tuple", "parts": [first] * count}
        return [*sets, {"k": "list", "parts": [pair, pair]}]

    def _labels(self) -> List[Spec]:
        classes = tensor([BATCH], "int32", 0, 2)
        values = [tensor([BATCH, 1]), classes, tensor([BATCH])]
        return [
            *([classes] if self._is_sparse else []),
            *values,
            {**self._guess(), "guess": True},
            tensor([BATCH, 1], "int32", 0, 2),
        ]

    def _mask(self) -> Spec:
        return {**self._guess(), "dtype": "bool"}

    def _guess(self) -> Spec:
        shape = [BATCH, *self._inputs[0]] if self._inputs else [BATCH, 3]
        return {**tensor(shape), "guess": True}

    def _of_default(self, parameter: Mapping[str, Any]) -> List[Spec]:
        value = parameter.get("value")
        if parameter.get("instead"):
            few: List[Spec] = [{"k": "float", "value": 0.5}, {"k": "int", "value": 3}]
            is_dict = parameter["instead"] == "Dict"
            return [{"k": "dict", "parts": dict(zip("ab", few))} if is_dict else _listed(few)]
        if isinstance(value, bool):
            return [{"k": "bool", "value": value}]
        if isinstance(value, int):
            counts = {"counts": True} if parameter.get("counts") else {}
            return [{"k": "int", "value": value, **counts}, {"k": "default"}]
        if isinstance(value, float):
            return [{"k": "float", "value": value}]
        if isinstance(value, list) and value:
            return [_alike(value)]
        return []

    # What errors ask for

    def _answers(self, choice: Choice, message: str) -> Iterator[Choice]:
        """Choices that may mend the error, the likeliest first."""
        yield from _for_objects(choice, message)
        yield from self._for_labels(choice, message)
        yield from self._for_longer(choice, message)
        ranks = _ranks_in(message)
        yield from _for_ranks(choice, message, ranks)
        yield from _for_dtypes(choice, message)
        yield from _for_shapes(choice, message)
        if not ranks:
            yield from _for_ranks(choice, message, [1, 0, 2, 3, 4])

    def _for_longer(self, choice: Choice, message: str) -> Iterator[Choice]:
        """One row more of what is asked for a member behind that at which the others are."""
        if not re.search("out of (bounds|range)", message):
            return
        for parameter in self._parameters:
            name, more = parameter["name"], parameter.get("longer", 0)
            shape = choice.get(name, {}).get("shape") or [0]
            others = [s["shape"] for n, s in choice.items() if n != name and s.get("shape")]
            # What goes along with others mostly is of their rank.
            for rest in [s[1:] for s in (*others, shape)] if more and shape[0] == BATCH else ():
                longer = {**choice[name], "shape": [BATCH + more, *rest], "more": more}
                yield {**choice, name: longer}

    def _for_labels(self, choice: Choice, message: str) -> Iterator[Choice]:
        found = re.search(r"outside the valid range of \[0, (\d+)\)", message)
        if found:
            for name in _tensors(choice, "int"):
                spec = {**_at(choice, name), "low": 0, "high": int(found.group(1))}
                yield _put(choice, name, spec)
        if "one class" in message or "sparse" in message.lower() or "same rank" in message.lower():
            for name in _tensors(choice, "float"):
                if _LABELS.match(name[0]):
                    yield _put(choice, name, tensor([BATCH], "int32", 0, 2))


def model_inputs(namespace: Mapping[str, Any]) -> List[List[int]]:
    """The input shapes of the Keras models among the globals, without the batch."""
    found = []
    for value in namespace.values():
        try:
            shape = value.input_shape if isinstance(value, tf.keras.Model) else None
        except Exception:
            shape = None
        is_plain = isinstance(shape, tuple) and all(d is None or isinstance(d, int) for d in shape)
        if shape and is_plain:
            found.append([d if d is not None else 5 for d in shape[1:]])
    return found


def _alike(value: List[Any]) -> Spec:
    """A tuple of numbers as it is written, and in later calls of others of their kinds."""
    kinds = {bool: "bool", int: "int", float: "float"}
    return {"k": "tuple", "parts": [{"k": kinds[type(v)], "value": v} for v in value]}


def _listed(parts: Iterable[Spec]) -> Spec:
    return {"k": "list", "parts": list(parts)}


def _is_float(spec: Spec) -> bool:
    return spec["k"] == "tensor" and str(spec["dtype"]).startswith("float")


def _is_guess(spec: Spec) -> bool:
    return bool(spec.get("guess")) or (
        spec["k"] in ("dataset", "list", "tuple") and any(map(_is_guess, spec["parts"]))
    )


def _reshaped(spec: Spec, shape: List[int]) -> Spec:
    if spec["k"] in ("dataset", "list", "tuple"):
        if spec["k"] == "dataset" and not shape:
            return spec
        parts = [_reshaped(p, shape) if _is_guess(p) else p for p in spec["parts"]]
        return {**spec, "parts": parts}
    return {**spec, "shape": shape}


def _positive(choice: Choice) -> Choice:
    return {
        name: {**spec, "low": 0.1, "high": 0.9}
        if spec.get("dtype", "").startswith("float") and spec["k"] in ("tensor", "variable")
        else spec
        for name, spec in choice.items()
    }


def _tensors(choice: Choice, dtype: str = "") -> List[Place]:
    """The places of tensors, also of those within dicts and short tuples and lists."""
    found: List[Place] = []
    pending: List[Tuple[Place, Spec]] = [((name,), spec) for name, spec in choice.items()]
    while pending:
        place, spec = pending.pop(0)
        if "shape" in spec and spec["dtype"].startswith(dtype):
            found.append(place)
        parts = spec.get("parts", ())
        if spec["k"] != "dataset" and 0 < len(parts) <= _PARTS:
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
    ):
        offers = [{"k": "numpy"}]
    elif "SparseTensor" in message:
        offers = [_SPARSE]
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
    named = [d for d in _DTYPES if re.search(rf"\b{d}\b|\b{d.replace('32', '')}\b", message)]
    if not named or ("shape" in message and "dtype" not in message and "type" not in message):
        return
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
    return [rank for rank in dict.fromkeys(map(int, found)) if rank <= 5]


def _for_ranks(choice: Choice, message: str, ranks: List[int]) -> Iterator[Choice]:
    """Another number of dimensions; first for the argument whose shape the message shows."""
    shape = {0: [], 1: [BATCH], 2: [BATCH, 3], 3: [BATCH, 5, 3], 4: [BATCH, 8, 8, 3]}
    names = _tensors(choice)
    names.sort(key=lambda name: _is_shown(_at(choice, name)["shape"], message), reverse=True)
    for rank in ranks:
        every = choice
        for place in names:
            every = _put(
                every, place, {**_at(every, place), "shape": shape.get(rank, [2, 4, 4, 4, 3])}
            )
        yield every
        for place in names:
            spec = _at(choice, place)
            if len(spec["shape"]) != rank:
                new = shape.get(rank, [2, 4, 4, 4, 3])
                yield _put(choice, place, {**spec, "shape": new})


def _is_shown(shape: List[int], message: str) -> bool:
    text = ", ".join(map(str, shape))
    return bool(shape) and (text in message or text.replace(" ", "") in message)
