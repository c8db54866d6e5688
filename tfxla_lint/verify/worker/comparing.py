"""Compares recorded values, with tolerances that come from the dtype and the size.

Eager code and a graph agree in float32 to about 1e-7 of the largest element of a result (Grappler
may reassociate), eager code and XLA to about 5e-6. Values that have gone through many updates feed
such differences back, hence ten times as much for what a whole run leaves behind. A wrong rewrite
(a frozen counter, a lost update) is mostly off by 1e-3 and more; for updates that are small
themselves, what they changed is compared too.
"""

from __future__ import annotations

import collections
import math
import re
from typing import Any, Dict, Iterator, List, Mapping, Optional, Set, Tuple

import numpy as np

from tfxla_lint.sandbox.inside.nodes import MISSING, Node
from tfxla_lint.verify.worker.matching import aligned, with_variables_alike

ARRAYS = frozenset({"numpy", "tensor", "variable"})
IGNORED = frozenset({"callable", "module"})
_LISTS = tuple(kind.__name__ for kind in (list, tuple, collections.deque))
_TENSORS = frozenset({"tensor", "variable"})
#: The largest argument whose rounding is seen in results that cancel out.
_GIVEN = 100.0
_NUMBER_TYPES = tuple(kind.__name__ for kind in (bool, int, float, complex))
_COMPLEX = "complex"

Tolerance = Tuple[float, float]
#: By dtype: for graphs and for XLA, each relative, and absolute as a share of the largest element.
_TOLERANCES: Dict[str, Tuple[Tolerance, Tolerance]] = {
    "float64": ((1e-12, 1e-13), (1e-9, 1e-12)),
    "float32": ((1e-5, 1e-6), (1e-4, 1e-5)),
    "float16": ((2e-3, 1e-3), (5e-3, 5e-3)),
    "bfloat16": ((1e-2, 1e-2), (2e-2, 2e-2)),
}
#: The kinds of values that are compared.
RESULTS, GRADIENTS, VARIABLES, UPDATES = "results", "gradients", "variables", "changes of variables"
ARGUMENTS, STATE, PRINTS = "arguments", "other state", "printed lines"
FORMATTED, FILES = "values behind printed digits", "values in files"
#: By this share of itself the change of a variable may differ, and by so many roundings of the
#: variable: each update rounds it, and both sides mostly alike.
_OF_CHANGE, _ROUNDINGS = 0.003, 8
#: What a whole run leaves behind may differ by this many times as much.
TRAINED = 10.0
#: Or by this: in float64 the rounding of a sum is so small that what iterations make of it (a line
#: search, a filter) can be thousands of times as large, and still tells nothing that was rounded to
#: float32, which is off by 3e-8.
_FED_BACK: Dict[str, Tolerance] = {"float64": (1e-8, 1e-9)}


class Difference:
    """One place where two sides differ: `kind` is value, type, dtype, shape, missing, ...

    `gap` is the largest distance of two floats; nothing is as far from a number as a NaN.
    """

    def __init__(
        self, kind: str, path: str, before: str, after: str, gap: float = math.inf
    ) -> None:
        self.kind = kind
        self.gap = gap
        self.path = path
        self.before = before
        self.after = after
        #: Whether it shows only where there are no values: no rows, or NaN.
        self.is_bare = False
        #: Whether only the rewritten version raises, as it takes no argument of such a shape, size or kind.
        self.is_refusal = False
        #: Whether only the rewritten version raises, and not its own code but what that calls.
        self.is_foreign = False
        #: Whether it raises since something is of the wrong kind, whoever's fault that is.
        self.is_of_kind = False
        #: Whether it shows only where NaN is passed, of which neither version speaks.
        self.is_of_nan = False
        #: Whether it shows only where users set what no code of the module does.
        self.is_settable = False

    @property
    def place(self) -> str:
        """The value or line that differs, whichever of its elements do."""
        return re.sub(r"\[[\d, ]*\]$", "", self.path) if self.kind == "value" else self.path

    def as_json(self) -> Dict[str, str]:
        """Plain data."""
        return {k: getattr(self, k)[:2000] for k in ("kind", "path", "before", "after")}


class Comparison:
    """Compares pairs of nodes and remembers the largest error that it let pass.

    With `strict` the Python type of a leaf counts: a tensor in the place of a float differs. In
    state it does not, where the value is the same: a counter may have become a variable.
    `factor` multiplies the tolerances. Names that are `gone` in the rewritten source are not missed,
    but looked for by what they are called there. `settings` are keys of dicts that only the original's
    source mentions, each with the constants that it writes there. Attributes that are `remade` may hold
    another kind of thing. With the factor 0 all that is not
    equal differs.
    """

    def __init__(
        self,
        xla: bool = False,
        factor: float = 1.0,
        gone: Optional[Set[str]] = None,
        goes_on: bool = False,
        renamed: Optional[Mapping[str, str]] = None,
        stages: Optional[Set[str]] = None,
        settings: Optional[Mapping[str, List[Any]]] = None,
        remade: Optional[Set[str]] = None,
    ) -> None:
        self._factor = factor
        self._settings = settings or {}
        #: Numbers and texts that only the rewritten version holds by names of its own.
        self._elsewhere: List[Any] = []
        #: What the rewritten version made, wherever it is held.
        self.made: List[Node] = []
        self._table = {
            dtype: _of_runs(dtype, pair[xla], factor) for dtype, pair in _TOLERANCES.items()
        }
        self._gone = gone or set()
        #: What the rewritten code calls some of the names that are gone.
        self._renamed = renamed or {}
        #: Globals that hold no result, but what is left of a way that was rewritten; those met.
        self._stages = stages or set()
        self.passed_by: Set[str] = set()
        self._remade = remade or set()
        #: Those of them that held another kind of thing.
        self.of_other_kinds: Set[str] = set()
        #: Names with values that the rewritten code does not have.
        self.lacked: Set[str] = set()
        #: Whether a caller that compares call after call goes on after one that differs.
        self.goes_on = goes_on
        self.error = 0.0
        self.leaves = 0
        #: How many values were compared, by kind.
        self.values: Dict[str, int] = {}
        self._kind = STATE
        self.tolerances: Dict[str, Tuple[float, float]] = {}
        #: How large the numbers are that the call got of which results are compared.
        self.given = 0.0
        #: How large variables were before, by path: what is left of large numbers has their error.
        self.scales: Dict[str, float] = {}
        #: What they held last, by path, and how far each of their elements has gone to it.
        self._last: Dict[str, Any] = {}
        self._ways: Dict[str, Any] = {}

    def grown(self, path: str, state: Node, is_first: bool = False) -> None:
        """Note how large the variables of a state are, for what comes after it below `path`."""
        if is_first:
            self._last, self._ways = {}, {}
        for name, array in _variables("", state):
            keys = (name, path + name, str(array.shape))
            known = max(self.scales.get(key, 0.0) for key in keys[:2])
            last = self._last.get(name, np.zeros_like(array))
            # A variable of another shape has gone no way yet.
            is_same = last.shape == array.shape
            way = (
                self._ways.get(name, 0.0) + np.abs(array - last)
                if is_same
                else np.zeros(array.shape)
            )
            self._ways.update({name: way, path + name: way})
            self._last[name] = array
            for key in keys:
                self.scales[key] = max(self.scales.get(key, 0.0), known, _largest(array))

    def scale_of(self, node: Node) -> float:
        """How large variables like this one were before, wherever they are held."""
        return self.scales.get(str(node[2].shape), 0.0) if node[0] == "variable" else 0.0

    def count(self, kind: str, number: int = 1) -> None:
        """Note that so many values of a kind were compared."""
        if number:
            self.values[kind] = self.values.get(kind, 0) + number

    def compare(
        self, path: str, a: Node, b: Node, strict: bool, scale: float = 0.0, kind: str = STATE
    ) -> List[Difference]:
        """Every difference between two nodes; `scale` is a magnitude that errors are seen against."""
        self._kind = kind
        self._elsewhere = list(_added(a, b)) if self._settings and kind == STATE else []
        self._elsewhere += [value for node in self.made for value in _plain_values(node)]
        return list(self._node(path, a, b, strict, scale))

    def _node(
        self, path: str, a: Node, b: Node, strict: bool, scale: float
    ) -> Iterator[Difference]:
        kinds = {a[0], b[0]}
        if kinds <= IGNORED:
            return
        if "missing" in kinds:
            yield Difference("missing", path, describe(a), describe(b))
        elif kinds == {"branch"}:
            yield from self._branch(path, a, b, strict)
        elif _is_number(a) and _is_number(b):
            yield from self._numbers(path, a, b, strict, scale)
        elif not strict and self._kind == STATE and _are_stacks(a, b):
            yield from self._numbers(path, _stacked(a), _stacked(b), strict, scale)
        elif a[:2] != b[:2]:
            kind = "leak" if b[1] == "symbolic tensor" else "type"
            yield Difference(kind, path, describe(a), describe(b))
        elif not _equal(a[2], b[2]):
            yield Difference("value", path, describe(a), describe(b))

    def _branch(self, path: str, a: Node, b: Node, strict: bool) -> Iterator[Difference]:
        if a[1] in _LISTS and b[1] in _LISTS and len(a[2]) != len(b[2]):
            yield Difference("structure", path, f"{a[1]} of {len(a[2])}", f"{b[1]} of {len(b[2])}")
            return
        wrapped = {"ListWrapper": "list", "_DictWrapper": "dict", "_TupleWrapper": "tuple"}
        # Whoever takes a result apart does not ask whether it is a list or a tuple.
        is_listed = not strict and self._kind == RESULTS and {a[1], b[1]} <= set(_LISTS)
        if wrapped.get(a[1], a[1]) != wrapped.get(b[1], b[1]) and not is_listed:
            yield Difference("type", path, describe(a), describe(b))
            return
        left, right = with_variables_alike(dict(a[2]), dict(b[2]))
        scale = _scale([*left.values(), *right.values()]) if "[0]" in left else 0.0
        for label in [*left, *(label for label in right if label not in left)]:
            x, y = left.get(label, MISSING), right.get(label, MISSING)
            if a[1] == "module" and label in self._stages:
                self.passed_by.add(label)
                continue
            if y is MISSING:
                y = right.get(self._called(label), MISSING)
            if "missing" in (x[0], y[0]) and self._may_lack(label, x, y, strict):
                continue
            if y is MISSING and not strict and self._is_setting(label, x):
                continue
            if label.lstrip(".") in self._remade and not _are_of_one_kind(x, y):
                self.of_other_kinds.add(label.lstrip("."))
                continue
            yield from self._node(path + label if path else label, x, y, strict, scale)

    def _may_lack(self, label: str, x: Node, y: Node, strict: bool) -> bool:
        """Whether a part that one side lacks is no difference.

        Functions do not count, new names and attributes neither, nor those that the rewritten
        source no longer has.
        """
        if {x[0], y[0]} & IGNORED:
            return True
        if strict or label.startswith(("[", "{", "<")):
            return False
        is_gone = label.lstrip(".") in self._gone
        if is_gone and x[0] in (*ARRAYS, "python", "branch") and x[2] is not None:
            self.lacked.add(label.lstrip("."))
        return x[0] == "missing" or is_gone

    def _is_setting(self, label: str, x: Node) -> bool:
        """Whether a dict lacks a key that nothing mentions any more, and that held no result.

        It still held what was written there, or the rewritten version holds the same elsewhere.
        """
        key = next((key for key in self._settings if label == f"[{key!r}]"), None)
        if key is None or x[0] != "python":
            return False
        known = [*self._settings[key], *self._elsewhere]
        if not any(_is_as(x[2], value) for value in known):
            return False
        self.lacked.add(key)
        return True

    def _called(self, label: str) -> str:
        """What the rewritten code calls what the original has by a label."""
        name = label.lstrip(".")
        return label[: len(label) - len(name)] + self._renamed.get(name, name)

    def _numbers(
        self, path: str, a: Node, b: Node, strict: bool, scale: float
    ) -> Iterator[Difference]:
        x, y = np.asarray(a[2]), np.asarray(b[2])
        self.leaves += 1
        is_state = self._kind == STATE
        self.count(VARIABLES if is_state and "variable" in (a[0], b[0]) else self._kind)
        if _is_of_nothing(x, y):
            return
        if a[1] != b[1] and ((a[0] in _TENSORS and b[0] in _TENSORS) or (strict and a[0] == b[0])):
            yield Difference("dtype", path, describe(a), describe(b))
        elif x.shape != y.shape:
            yield Difference("shape", path, describe(a), describe(b))
        else:
            way = self._ways.get(path, np.float64(0.0))
            way = way if way.shape == x.shape else np.float64(0.0)
            wrong = self._wrong(a, b, x, y, max(scale, self.scales.get(path, 0.0)), way)
            if wrong.any():
                yield _array_difference(path, x, y, wrong)
            elif strict and a[0] != b[0] and {a[0], b[0]} != _TENSORS:
                yield Difference("type", path, describe(a), describe(b))

    def _wrong(self, a: Node, b: Node, x: Any, y: Any, scale: float, way: Any) -> Any:
        """Where two arrays differ by more than the tolerance; `way` is how far variables have gone.

        What is added to a variable has an error of its own, also where little is left of both.
        """
        name = self._loosest(a, b)
        if name is None:
            if x.dtype.kind in "fc" or y.dtype.kind in "fc":
                return ~((x == y) | ((x != x) & (y != y)))
            return np.asarray(x != y)
        rtol, atol = self._table[name]
        growth = max(1.0, math.sqrt(x.size / 1e6))
        self.tolerances[name] = (rtol, atol)
        return self._beyond(x, y, rtol * growth, atol * growth, scale, way)

    def _loosest(self, a: Node, b: Node) -> Optional[str]:
        """The dtype whose tolerance holds; None where the values must be equal."""
        names = [_precision(node) for node in (a, b)]
        known = [name for name in names if name in self._table]
        if not known:
            return None
        return max(known, key=lambda name: self._table[name][0])

    def _beyond(self, x: Any, y: Any, rtol: float, atol: float, scale: float, way: Any) -> Any:
        """Where two float arrays differ by more than the tolerance; NaN equals NaN."""
        wide = np.complex128 if "c" in x.dtype.kind + y.dtype.kind else np.float64
        x, y = x.astype(wide), y.astype(wide)
        finite = np.isfinite(x) & np.isfinite(y)
        shares = [np.abs(v[finite]).max() if finite.any() else 0.0 for v in (x, y)]
        # What cancels out to nothing on one side leaves the other the error of what it was given.
        largest = max(scale, *shares, 0.0 if min(shares) else self.given)
        with np.errstate(invalid="ignore", over="ignore"):
            gap = np.abs(x - y)
            close = gap <= rtol * np.maximum(np.abs(y), way) + atol * largest
        same = (x == y) | (np.isnan(x) & np.isnan(y))
        wrong = ~np.where(finite, close, same)
        if largest > 0 and finite.any() and not wrong.any():
            self.error = max(self.error, float(np.max(gap[finite])) / largest)
        return np.asarray(wrong)

    # Updates

    def updates(
        self, start: Node, a: Node, b: Node, other_start: Optional[Node] = None
    ) -> List[Difference]:
        """Differences between what two sides changed since `start`, however small that is.

        The second side may have an `other_start`, where it began.
        """
        theirs = aligned(start, other_start) if other_start is not None else start
        before, others = (dict(_variables("", node)) for node in (start, theirs))
        left, right = dict(_variables("", a)), dict(_variables("", aligned(a, b)))
        found = []
        for path, old in before.items():
            arrays = [old, others.get(path), left.get(path), right.get(path)]
            if any(array is None or array.shape != old.shape for array in arrays):
                continue
            x, y, p, q = (np.asarray(array, np.float64) for array in arrays)
            p, q = p - x, q - y
            self.count(UPDATES)
            scale = max(_largest(old), self.scales.get(path, 0.0))
            floor = _ROUNDINGS * 1.2e-7 * scale + _OF_CHANGE * max(_largest(p), _largest(q))
            wrong = np.abs(p - q) > (floor if self._factor else 0.0)
            if wrong.any():
                found.append(_array_difference(f"the change of {path}", p, q, wrong))
        return found


def _of_runs(dtype: str, tolerance: Tolerance, factor: float) -> Tolerance:
    rtol, atol = (factor * part for part in tolerance)
    least = _FED_BACK.get(dtype, (0.0, 0.0)) if factor > 1.0 else (0.0, 0.0)
    return max(rtol, least[0]), max(atol, least[1])


def _added(a: Node, b: Node) -> Iterator[Any]:
    """The numbers and texts below names that only the second of two states of modules has."""
    if not a[:2] == b[:2] == ("branch", "module"):
        return
    left = dict(a[2])
    for label, part in b[2]:
        if label in left:
            yield from _added(left[label], part)
        else:
            yield from _plain_values(part)


def _plain_values(node: Node) -> Iterator[Any]:
    if node[0] == "branch":
        for _, part in node[2]:
            yield from _plain_values(part)
    elif node[0] == "python":
        yield node[2]
    elif node[0] in ARRAYS and np.asarray(node[2]).ndim == 0:
        yield np.asarray(node[2]).item()


def _is_as(a: Any, b: Any) -> bool:
    """Whether two plain values are the same; one may have been rounded to float32."""
    if isinstance(a, float) and isinstance(b, float):
        return math.isclose(a, b, rel_tol=1e-6)
    return type(a) is type(b) and bool(a == b)


def variables_only(node: Node) -> Node:
    """The node without all that is no variable."""
    if node[0] != "branch":
        return node if node[0] == "variable" else ("opaque", "", None)
    return ("branch", node[1], [(label, variables_only(part)) for label, part in node[2]])


def variables_of(node: Node) -> Set[str]:
    """The paths of the float variables in a node."""
    return {path for path, _ in _variables("", node)}


def _variables(path: str, node: Node) -> Iterator[Tuple[str, Any]]:
    """The float variables in a node, with their paths."""
    if node[0] == "variable" and node[2].dtype.kind == "f" and np.isfinite(node[2]).all():
        yield path, node[2]
    elif node[0] == "branch":
        for label, part in node[2]:
            yield from _variables(path + label, part)


def _largest(array: Any) -> float:
    return float(np.abs(array).max()) if array.size else 0.0


def _array_difference(path: str, x: Any, y: Any, wrong: Any) -> Difference:
    where = tuple(int(i) for i in np.argwhere(wrong)[0])
    place = f"{path}{list(where)}" if where else path
    more = f" ({int(wrong.sum())} of {wrong.size} elements differ)" if wrong.size > 1 else ""
    return Difference("value", place, _show(x[where]), _show(y[where]) + more, _gap(x, y))


def _gap(x: Any, y: Any) -> float:
    if "f" not in (x.dtype.kind, y.dtype.kind):
        return math.inf
    x, y = x.astype(np.float64), y.astype(np.float64)
    if (np.isnan(x) != np.isnan(y)).any():
        return math.inf
    with np.errstate(invalid="ignore", over="ignore"):
        gaps = np.abs(x - y)
    gaps = gaps[~np.isnan(gaps)]
    return float(gaps.max()) if gaps.size else math.inf


def describe(node: Node) -> str:
    """A short text for a node."""
    kind, name, value = node
    if kind == "missing":
        return "missing"
    if kind in ARRAYS:
        array = np.asarray(value)
        text = f" {_show(array[()])}" if array.ndim == 0 else f" of shape {array.shape}"
        return f"{kind} {name}{text}"
    if kind == "python":
        return f"{name} {value!r:.80}"
    return name if kind in ("branch", "opaque") else f"{kind} {name}"


def _equal(a: Any, b: Any) -> bool:
    if isinstance(a, float) and isinstance(b, float) and math.isnan(a) and math.isnan(b):
        return True
    return bool(a == b)


def _is_number(node: Node) -> bool:
    if node[0] == "python":
        return node[1] in _NUMBER_TYPES
    return node[0] in ARRAYS


def _are_stacks(a: Node, b: Node) -> bool:
    """Whether one is a list of numbers or arrays, and the other the array that holds the same."""
    if {a[0], b[0]} - ARRAYS != {"branch"}:
        return False
    return all(_is_number(_stacked(node)) for node in (a, b))


def _are_of_one_kind(a: Node, b: Node) -> bool:
    """Whether two parts can be compared: numbers and arrays, stacks of them, or things of one type."""
    if _is_number(a) and _is_number(b):
        return np.asarray(a[2]).shape == np.asarray(b[2]).shape
    return a[:2] == b[:2] or _are_stacks(a, b)


def _is_of_nothing(x: Any, y: Any) -> bool:
    """Whether one is made of no parts, and so knows neither their shape nor their dtype."""
    if x.size + y.size:
        return False
    return x.shape == y.shape or (0,) in (x.shape, y.shape)


def _stacked(node: Node) -> Node:
    """The array of a list of numbers or of arrays of one shape; the node itself where there is none."""
    if node[0] != "branch" or node[1] not in _LISTS or not node[2]:
        return node
    parts = [_stacked(part) for _, part in node[2]]
    shapes = {np.asarray(part[2]).shape for part in parts if _is_number(part)}
    if len(shapes) != 1 or not all(map(_is_number, parts)):
        return node
    array = np.stack([np.asarray(part[2]) for part in parts])
    return ("numpy", parts[0][1] if parts[0][0] != "python" else array.dtype.name, array)


def _precision(node: Node) -> str:
    """The dtype whose tolerance holds for a leaf.

    Python floats and NumPy's float64 mostly hold results of float32 work: `float(loss)`,
    `np.mean(losses)`.
    """
    kind, name, _ = node
    if (kind, name) in (("python", "float"), ("numpy", "float64"), ("python", "complex")):
        return "float32"
    if name.startswith(_COMPLEX):
        # It is two floats of half its size.
        return f"float{int(name[len(_COMPLEX) :]) // 2}"
    return name


def magnitude(node: Node) -> float:
    """The largest magnitude among the floats of a node, up to one by which nothing is hidden."""
    if node[0] == "branch":
        return max((magnitude(part) for _, part in node[2]), default=0.0)
    if not _is_number(node):
        return 0.0
    value = np.asarray(node[2])
    found = _largest(value[np.isfinite(value)]) if value.dtype.kind in "fc" else 0.0
    return min(found, _GIVEN)


def _scale(nodes: List[Node]) -> float:
    """The largest finite magnitude among the scalars of a sequence: losses of one history."""
    found = 0.0
    for node in nodes:
        if _is_number(node):
            value = np.asarray(node[2])
            if value.ndim == 0 and value.dtype.kind in "fc" and np.isfinite(value):
                found = max(found, float(np.abs(value)))
    return found


def _show(value: Any) -> str:
    plain = value.item() if hasattr(value, "item") else value
    return f"{plain:.9g}" if isinstance(plain, float) else repr(plain)
