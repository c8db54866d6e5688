"""First guesses at arguments: from what is known of parameters, and what they are called."""

from __future__ import annotations

import re
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Optional

import numpy as np
import tensorflow as tf

from tfxla_lint.verify.worker.values import BATCH, VARIABLES, Spec, as_flags, as_many, tensor

#: One choice of arguments: a description for each parameter.
Choice = Dict[str, Spec]
LABELS = re.compile(
    r"^(y|y_(?!pred|hat|prob|score)\w*|\w*label\w*|\w*target\w*|\w*true\w*|\w*class\w*|gt)$"
)
_INDICES = re.compile(
    r"^(\w*(action|index|indices|idx|token|ids|word|user|item|context)\w*|(\w+_)?id|i|k)$"
)
_COUNTS = re.compile(
    r"^(epochs?|n|m|k|num\w*|n_\w+|\w*steps?|\w*size|\w*dim|\w*count|iter\w*|seed|max_\w+|depth|"
    r"\w*stride|\w*width|\w*height|\w*length|\w*limit|\w*window|bins|top_k|order|rank|capacity)$"
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
SPARSE: Spec = {**tensor([BATCH, 3]), "k": "sparse"}
_VARIABLES: Spec = {**tensor([]), "k": "variables"}
#: How variables are updated.
_UPDATING = frozenset(name for name in dir(tf.Variable) if name.startswith("assign"))
#: Calls, with the place of what says which values count.
_MASKED = re.compile(r"(boolean_mask:(1|mask)|where:(0|condition)|logical_(not|and|or):\d)$")
#: What tensors have besides in eager code.
_OF_EAGER = frozenset(dir(tf.__internal__.EagerTensor)) - frozenset(dir(tf.Tensor))
#: What ragged tensors alone have.
_OF_RAGGED = frozenset(dir(tf.RaggedTensor)) - frozenset(dir(tf.Tensor)) - _OF_EAGER - _OF_DICTS
_OF_TENSORS = frozenset(dir(tf.Tensor)) | frozenset(dir(tf.Variable)) | frozenset(dir(np.ndarray))
#: Dimensions are not larger.
_MOST = 64
#: What none of several numbers is larger than.
_LIMIT = 6
#: Matrices of numbers no larger than this shrink what they are applied to, more often than not.
_STEADY = 0.5
_MODELS = re.compile(r"model|net|generator|discriminator|encoder|decoder|critic|actor|policy|cell")
_NAMED_VARIABLES = re.compile(r"(variables|weights|params|parameters)$")
_UPPER = re.compile(r"(^|_)(high|max|maximum|upper|hi|stop|end)$")
#: A place among as many things as another number says.
_PLACE = re.compile(
    r"^(start|begin|root|source|target|node|offset|pos|position|i|j|(\w*_)?(id|idx|index|node))$"
)
#: How many there are of what whole numbers tell apart.
_THINGS = re.compile(
    r"(^|_)(classes|segments|graphs|nodes|vertices|labels|categories|clusters|groups|items|users|tokens"
    r"|buckets|speakers|bins)$|(^|_)vocab(_size)?$"
)
_LOSSES = re.compile(r"loss|criterion|objective|cost")


class Guesses:
    """Choices of arguments that the parameters of a job call for, the likeliest first."""

    def __init__(self, job: Mapping[str, Any], namespace: Mapping[str, Any]) -> None:
        self._parameters: List[Dict[str, Any]] = job["parameters"]
        self._dims: List[int] = [d for d in job.get("dims", ()) if 1 < d <= 1024][:12]
        self._inputs = model_inputs(namespace)
        self._is_sparse = bool(job.get("sparse"))
        #: Whether it is asked at which place the largest of several numbers is.
        self._has_places = bool(job.get("places"))
        self._makes = bool(job.get("makes_object"))
        self._divides = bool(job.get("divides"))

    def first(self) -> Iterator[Choice]:
        """The choices."""
        options = {p["name"]: self._options(p) for p in self._parameters}
        base = {name: found[0] for name, found in options.items()}
        yield base
        yield from _masked(base)
        yield {name: _as_passed(spec) for name, spec in base.items()}
        # What is as large in each call leaves room for what is drawn: one number, or all.
        whole = [name for name, spec in base.items() if spec["k"] == "int"]
        for names in [*([name] for name in whole), whole]:
            yield {n: {**s, "fixed": True} if n in names else s for n, s in base.items()}
        left_out: Choice = {
            p["name"]: {"k": "default"} for p in self._parameters if p.get("default")
        }
        yield {**base, **left_out}
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
        deep = [[BATCH, 8, 8, 3], [BATCH, 5, 3]]
        return [*known, [BATCH, 3], [BATCH], [], *wide, [BATCH, BATCH], *deep, [3, 3]]

    def _options(self, parameter: Mapping[str, Any]) -> List[Spec]:
        """What a parameter may be, the likeliest first: what is told of its values comes before all else."""
        found = self._likeliest(parameter)
        told = parameter.get("told") or {}
        if "between" in told:
            found = [_between(s, *told["between"]) for s in found]
        if parameter.get("spec"):
            return found
        if "ragged" in told:
            rows = [s for s in _ragged() if s["dtype"] == told["ragged"]]
            if told.get("tokens"):
                rows = [{**s, "words": "tokens"} for s in rows]
            return [*rows, *found]
        beyond = parameter.get("not_beyond") or {}
        if "below" in beyond:
            # Later calls pass one and two more.
            found = [{"k": "int", "value": 1}, *found]
        strides = {}
        if "parity" in beyond:
            # The next odd number is two away.
            strides, first = {"stride": 2}, {"value": 4 - beyond["parity"]}
            found = [{**s, **first, **strides} if s["k"] == "int" else s for s in found]
        least = {"least": told["minimum"]} if "minimum" in told else {}
        if least:
            found = [
                {**s, **least, "value": max(s.get("value") or 0, told["minimum"])}
                if s["k"] == "int"
                else s
                for s in found
            ]
            if not any(s["k"] == "int" for s in found):
                found = [{"k": "int", "value": max(2, told["minimum"]), **least}, *found]
        if "example" in told:
            found = [{**_plain(told["example"]), **least, **strides}, *found]
        return found

    def _likeliest(self, parameter: Mapping[str, Any]) -> List[Spec]:
        told: Optional[Dict[str, Any]] = parameter.get("documented")
        least: List[int] = parameter.get("indexed", [])
        if told is None and parameter.get("square"):
            told = {"shape": [BATCH, BATCH], "square": True, "exact": [1]}
        if told is None and len(least) > 1 and max(least) <= _MOST:
            usual = [BATCH, 3, 2, *([2] * len(least))]
            # What is asked for one by one is all that there is.
            told = {"shape": [max(pair) for pair in zip(usual, least)]}
            told["exact"] = [axis for axis, size in enumerate(least) if axis and size > 1]
        # What may be None is left out in other calls.
        is_needed = not parameter.get("default") or (
            parameter.get("documented") and parameter.get("value", 0) is None
        )
        if told is not None and not parameter.get("spec") and is_needed:
            bare: Dict[str, Any] = {"documented": None, "indexed": [], "square": False}
            rest = self._likeliest({**parameter, **bare})
            kept: Spec = {
                key: told[key]
                for key in ("exact", "square", "ordered", "definite", "ascending")
                if told.get(key)
            }
            return [*({**spec, **kept} for spec in self._documented(parameter, told)), *rest]
        given = parameter.get("spec")
        if given is None and parameter.get("listed"):
            rest = self._likeliest({**parameter, "listed": None})
            return [_listed_as(parameter["listed"]), *rest]
        if given is None and parameter.get("limits"):
            return [{"k": "int", "value": _LIMIT}, {"k": "float", "value": float(_LIMIT)}]
        standing = parameter.get("value")
        if given is not None and "value" not in given and type(standing).__name__ == given["k"]:
            given = {**given, "value": standing}
        if given is not None and given["k"] == "float" and "value" not in given:
            if _UPPER.search(parameter["name"].lower()):
                # What is below it begins at a small number.
                given = {**given, "value": 1.5}
        if given is not None and given["k"] == "int" and "value" not in given:
            if _PLACE.match(parameter["name"].lower()) and self._has_counts(parameter):
                # There are two of what it is a place in, by the first calls.
                given = {**given, "value": 1, "most": 1}
        if given is not None:
            given = {**given, **self._least(parameter)} if given["k"] == "int" else given
            return [{**given, "counts": True} if parameter.get("counts") else given]
        if parameter.get("ascending"):
            rising: Spec = {**tensor([BATCH]), "ascending": True}
            return [rising, {**rising, "k": "numpy"}]
        if parameter.get("text"):
            return [{"k": "text", "of": "words"}, {"k": "text"}]
        if parameter.get("star"):
            # As many as are passed, of what one of them may be.
            member = {"star": False, "iterated": None, "attributes": parameter["of_members"]}
            each = [*self._options({**parameter, **member}), self._mask(), {"k": "text"}]
            several = [*([spec] * 2 for spec in each), each[:1]]
            return [{**_listed(parts), "star": True} for parts in several]
        own: List[Spec] = [{"k": "own", "class": c} for c in parameter.get("own", ())]
        if parameter.get("record"):
            told = parameter["record"]
            fields = {field["name"]: self._options(field)[0] for field in told["fields"]}
            return [{"k": "record", "class": told["class"], "parts": fields}, *own]
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
            return [{**count, **self._least(parameter)}, self._guess()]
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
            return [*plain, *self._labels()] if LABELS.match(name) else plain
        if LABELS.match(name):
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

    def _least(self, parameter: Mapping[str, Any]) -> Spec:
        """Of how many things there are at least: as many as are told apart by the first arguments."""
        if not _THINGS.search(parameter["name"].lower()):
            return {}
        others = [p for p in self._parameters if p is not parameter]
        are_told = any(
            "int" in (p.get("documented") or {}).get("dtype", "")
            or LABELS.match(p["name"].lower())
            or _INDICES.match(p["name"].lower())
            for p in others
        )
        return {"least": 2 if are_told else 1}

    def _has_counts(self, parameter: Mapping[str, Any]) -> bool:
        """Whether another parameter says how many there are of something."""
        others = (p["name"].lower() for p in self._parameters if p is not parameter)
        return any(map(_COUNTS.match, others))

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
        if uses & _OF_RAGGED:
            return _ragged()
        if uses & {"indices", "dense_shape"} and not parameter.get("methods"):
            return [SPARSE]
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
            if parameter.get("classes"):
                return [{**plain, "classes": 5, "of_rows": True}]
            several = [{**plain, "classes": 5}, {**plain, "sums": True}]
            return [plain, *several, *self._models(), {"k": "metric"}]
        if parameter.get("keys"):
            updated = _UPDATING & set(parameter.get("of_members", ()))
            member: Spec = {**self._guess(), "k": "variable"} if updated else self._guess()
            return [{"k": "dict", "parts": dict.fromkeys(parameter["keys"], member)}]
        if uses & _OF_EAGER:
            plain_ones = [self._guess(), tensor([BATCH]), tensor([BATCH], "int32", 0, 2)]
            return plain_ones[::-1] if LABELS.match(name) else plain_ones
        if parameter.get("members_index") or parameter.get("members_count"):
            # The first of something is there; nothing of it may be none.
            low = 0 if parameter.get("members_index") else 1
            counts: List[Spec] = [{"k": "int", "value": low + i} for i in (1, 0, 2)]
            whole = tensor([BATCH], "int32", low, low + 2)
            return [whole, _listed(counts), *self._datasets(parameter)]
        if parameter.get("members_called"):
            return [_listed([plain, {**plain, "scale": 0.5}]), _listed([plain])]
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
        of_texts = [callee for callee in parameter.get("passed", ()) if ".strings." in callee]
        if any(callee.rpartition(":")[2] in ("0", "input", "inputs") for callee in of_texts):
            return [tensor([2 * BATCH], "string"), {"k": "text"}]
        if any(".sparse." in callee for callee in parameter.get("passed", ())):
            return [SPARSE]
        if {"sequence_mask:0", "from_row_lengths:1", "from_row_lengths:row_lengths"} & set(passed):
            return [lengths]
        if parameter.get("counted"):
            return [lengths, self._guess()]
        if {"from_row_splits:1", "from_row_splits:row_splits"} & set(passed):
            return [{**lengths, "values": [0, 2, 2, 3, 4]}]
        parts = [callee.rpartition(".")[2] for callee in parameter.get("parts_passed", ())]
        if parameter.get("members_tested") or any(map(_MASKED.match, [*passed, *parts])):
            flags = _flags(tensor([BATCH]))
            return [self._mask(), tensor([BATCH], "bool"), flags, self._guess()]
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

    def _documented(self, parameter: Mapping[str, Any], told: Mapping[str, Any]) -> List[Spec]:
        """Tensors of the shape that a docstring tells, of the likeliest dtype first."""
        whole = tensor(told["shape"], "int32", 0, 2)
        kinds = [tensor(told["shape"]), whole, {**whole, "dtype": "bool"}]
        if told.get("square") and not told.get("definite") and self._has_definite():
            # What covariances go through again and again lets them not grow beyond all bounds.
            kinds[0] = tensor(told["shape"], low=-_STEADY, high=_STEADY)
        if told.get("dtype") == "string":
            kinds.append({**whole, "dtype": "string"})
        if told.get("dtype") not in (None, "string", *(kind["dtype"] for kind in kinds)):
            base = kinds[0] if told["dtype"].startswith("float") else whole
            kinds.append({**base, "dtype": told["dtype"]})
        if "low" in told:
            kinds = [{**spec, "low": told["low"], "least": told["low"]} for spec in kinds]
        if "high" in told:
            # A whole number below that is drawn: both ends are meant.
            bounds = [told["high"] + ("int" in spec["dtype"]) for spec in kinds]
            kinds = [{**s, "high": high, "bounded": True} for s, high in zip(kinds, bounds)]
        if told.get("counted"):
            kinds = [{**spec, "counted": True} for spec in kinds]
        for kind in ("shares", "onehot"):
            if told.get(kind):
                kinds = [{**spec, kind: True} for spec in kinds]
        if "member" in told:
            kinds = [{**s, "member": told["member"]} if "int" in s["dtype"] else s for s in kinds]
        dtype = told.get("dtype", "bool" if parameter.get("members_tested") else "float32")
        name = parameter["name"].lower()
        # Members that the code itself makes whole are so from the first.
        whole_ones = ("places", "counted", "members_count", "members_index")
        if dtype == "float32" and any(map(parameter.get, whole_ones)):
            dtype = "int32"
        is_index = _INDICES.match(name) and len(told["shape"]) < 3
        if dtype == "float32" and (is_index or (self._is_sparse and LABELS.match(name))):
            dtype = "int32"
        return sorted(kinds, key=lambda spec: spec["dtype"] != dtype)

    def _has_definite(self) -> bool:
        return any((p.get("documented") or {}).get("definite") for p in self._parameters)

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
            least = self._least(parameter) if value > 0 else {}
            return [{"k": "int", "value": value, **counts, **least}, {"k": "default"}]
        if isinstance(value, float):
            return [{"k": "float", "value": value}]
        if isinstance(value, list) and value:
            return [_alike(value)]
        return []


def marked(choice: Choice, parameters: Iterable[Mapping[str, Any]]) -> Choice:
    """The choice with what further ones may have: lists without some, arrays of another dtype."""
    marks = {p["name"]: {k: True for k in ("lacks", "recast") if p.get(k)} for p in parameters}
    flags = {p["name"] for p in parameters if p.get("members_tested")}
    return {
        name: {**(_flags(spec) if name in flags else spec), **marks.get(name, {})}
        if spec["k"] != "default"
        else spec
        for name, spec in choice.items()
    }


def _flags(spec: Spec) -> Spec:
    """An array of flags in the place of one of any floats: what is asked for its truth may be computed with."""
    is_float = str(spec.get("dtype", "")).startswith("float")
    return as_flags(spec) if is_float else spec


def _masked(choice: Choice) -> Iterator[Choice]:
    """The choice with masks that say of all rows in the others, instead of all numbers, whether they count."""
    masks = [n for n, s in choice.items() if _is_guess(s) and s.get("dtype") == "bool"]
    others = [n for n, s in choice.items() if _is_guess(s) and n not in masks]
    if masks and others:
        rows = {n: _reshaped(choice[n], [BATCH, 5, 3]) for n in others}
        yield {**choice, **rows, **{n: {**choice[n], "shape": [BATCH, 5]} for n in masks}}


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


def _ragged() -> List[Spec]:
    """Rows of several lengths, one of them empty."""
    flat = [tensor([BATCH], "int32", 0, 3), tensor([BATCH]), tensor([BATCH], "string")]
    lengths: Spec = {"k": "ragged", "values": [2, 0, 3, 1]}
    return [{**spec, **lengths} for spec in (*flat, tensor([BATCH, 3]))]


def _between(spec: Spec, low: float, high: float) -> Spec:
    """A number that is never below one nor above another; any other spec as it is."""
    if spec["k"] not in ("int", "float"):
        return spec
    value = spec.get("value")
    is_meant = isinstance(value, (int, float)) and low <= value <= high
    middle = 0.5 * (low + high) if spec["k"] == "float" else int(low) + 1
    return {**spec, "value": value if is_meant else middle, "least": low, "most": high}


def _plain(value: Any) -> Spec:
    """A number as it is written, or some in brackets, and in later calls others of their kinds."""
    if not isinstance(value, (list, tuple)):
        return {"k": type(value).__name__, "value": value}
    return {**_alike(list(value)), "k": type(value).__name__}


def _alike(value: List[Any]) -> Spec:
    """A tuple of numbers as it is written, and in later calls of others of their kinds."""
    kinds = {bool: "bool", int: "int", float: "float"}
    return {"k": "tuple", "parts": [{"k": kinds[type(v)], "value": v} for v in value]}


def _listed(parts: Iterable[Spec]) -> Spec:
    return {"k": "list", "parts": list(parts)}


def _listed_as(told: Mapping[str, Any], first: int = 0) -> Spec:
    """A list of which it is told what its members are."""
    kinds: Dict[str, Spec] = {"int": {"k": "int"}, "float": {"k": "float"}, "text": {"k": "text"}}
    if "each" in told:
        rows = {**told, "count": told["each"] or 3}
        del rows["each"]
        # One is empty where it is not told how many each holds.
        inner = [_listed_as(rows, row) for row in range(3)]
        return _listed([*inner, *([] if told["each"] else [_listed([])])])
    each, count = kinds[told["of"]], told.get("count", 4)
    if told["of"] == "text":
        return _listed({**each, "place": first + place} for place in range(count))
    return _listed({**each, "value": first + value} for value in (2, 1, 3, 1)[:count])


def _is_float(spec: Spec) -> bool:
    return spec["k"] == "tensor" and str(spec["dtype"]).startswith("float")


def _is_guess(spec: Spec) -> bool:
    return bool(spec.get("guess")) or ("parts" in spec and any(map(_is_guess, _parts(spec))))


def _parts(spec: Spec) -> List[Spec]:
    parts = spec["parts"]
    return list(parts.values()) if isinstance(parts, dict) else list(parts)


def _as_passed(spec: Spec) -> Spec:
    """The description with as many rows as a program passes, where these are known."""
    if "parts" in spec:
        parts = list(map(_as_passed, _parts(spec)))
        if "rows" in spec:
            return {**spec, "parts": as_many(parts, spec["rows"])}
        is_dict = isinstance(spec["parts"], dict)
        return {**spec, "parts": dict(zip(spec["parts"], parts)) if is_dict else parts}
    return {**spec, "shape": [spec["rows"], *spec["shape"][1:]]} if "rows" in spec else spec


def _reshaped(spec: Spec, shape: List[int]) -> Spec:
    if "parts" in spec:
        if spec["k"] == "dataset" and not shape:
            return spec
        parts = [_reshaped(p, shape) if _is_guess(p) else p for p in _parts(spec)]
        is_dict = isinstance(spec["parts"], dict)
        return {**spec, "parts": dict(zip(spec["parts"], parts)) if is_dict else parts}
    return {**spec, "shape": shape}
