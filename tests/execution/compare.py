"""Compares what two versions of a program left behind, and says where they differ.

Tolerances. One call of a traced function agrees with eager execution to about 1e-7 of the
largest element in float32 (Grappler may reassociate), so for a single call rtol 1e-5 with an atol
of 1e-6 times the largest element is ample: `SINGLE_CALL`. State at the end of a training run has
gone through tens of updates that feed each such difference back, and optimizers that divide by
the root of a squared gradient enlarge it where gradients are small; hence ten times as much in
`TRAINED`. A wrong rewrite (a frozen counter, a lost update) is off by 1e-3 and more.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from tfxla_lint.verify.worker.texts import same_text, shown_lines
from tools.programs.client import Node, Snapshot

NUMERIC = frozenset({"numpy", "tensor", "variable"})
IGNORED = frozenset({"callable", "module"})
MISSING: Node = ("missing", "", None)


@dataclass(frozen=True)
class Tolerance:
    """Two numbers agree when |a - b| <= rtol * |b| + atol * (the largest magnitude around)."""

    rtol: float
    atol: float


SINGLE_CALL: Mapping[str, Tolerance] = {
    "float64": Tolerance(1e-12, 1e-13),
    "float32": Tolerance(1e-5, 1e-6),
    "float16": Tolerance(2e-3, 1e-3),
    "bfloat16": Tolerance(1e-2, 1e-2),
}
TRAINED: Mapping[str, Tolerance] = {
    name: Tolerance(10 * value.rtol, 10 * value.atol) for name, value in SINGLE_CALL.items()
}
COMPLEX = {"complex64": "float32", "complex128": "float64"}


@dataclass(frozen=True)
class Comparison:
    """How strictly two snapshots are compared.

    `moved` are names that the rewrite turned from globals into locals of a function (see
    `moved.py`): the second run need not define them; `added` are those that it may define besides. With `loose_types` a tensor may stand
    for a Python or NumPy number of the same value. With `merged_output` the lines of standard
    output and standard error are compared together and in any order. A function or module that
    only one side defines is never a difference.
    """

    tolerances: Mapping[str, Tolerance] = field(default_factory=lambda: TRAINED)
    moved: Collection[str] = ()
    added: Collection[str] = ()
    loose_types: bool = False
    merged_output: bool = False

    def differences(self, before: Snapshot, after: Snapshot) -> list[str]:
        """Every difference between two runs, readable; empty when they agree."""
        if before.error is not None or after.error is not None:
            errors = self._errors(before, after)
            if errors:
                return errors
        found = self._children("", before.state[2], after.state[2], top=True)
        return found + self._output(before, after)

    def _errors(self, before: Snapshot, after: Snapshot) -> list[str]:
        kinds = [error[0] if error else None for error in (before.error, after.error)]
        if kinds[0] == kinds[1]:
            return []
        texts = [f"{e[0]}: {e[1][:500]}" if e else "no error" for e in (before.error, after.error)]
        return [f"exception: {texts[0]} against {texts[1]}"]

    # ------------------------------------------------------------------------------ state

    def _node(self, path: str, a: Node, b: Node, scale: float = 0.0) -> list[str]:
        kinds = {a[0], b[0]}
        if kinds <= IGNORED:
            return []
        if "missing" in kinds:
            missing_from = "the first" if a[0] == "missing" else "the second"
            present = b if a[0] == "missing" else a
            return [f"{path}: {_describe(present)} is missing from {missing_from}"]
        if kinds == {"branch"}:
            return self._branch(path, a, b)
        if self._numbers(a, b):
            return self._arrays(path, a, b, scale)
        if a[:2] != b[:2] or not _equal(a[2], b[2]):
            return [f"{path}: {_describe(a)} against {_describe(b)}"]
        return []

    def _branch(self, path: str, a: Node, b: Node) -> list[str]:
        if a[1] != b[1]:
            return [f"{path}: {_describe(a)} against {_describe(b)}"]
        if a[1] in ("list", "tuple", "deque") and len(a[2]) != len(b[2]):
            return [f"{path}: length {len(a[2])} against {len(b[2])}"]
        return self._children(path, a[2], b[2])

    def _children(
        self, path: str, a: list[tuple[str, Node]], b: list[tuple[str, Node]], top: bool = False
    ) -> list[str]:
        left, right = dict(a), dict(b)
        scale = _scale([*left.values(), *right.values()]) if _is_sequence(left) else 0.0
        found = []
        for label in [*left, *(label for label in right if label not in left)]:
            x, y = left.get(label, MISSING), right.get(label, MISSING)
            if "missing" in (x[0], y[0]):
                expected = self.moved if y[0] == "missing" else self.added
                if {x[0], y[0]} & IGNORED or (top and label in expected):
                    continue
            found += self._node(path + label, x, y, scale)
        return found

    def _numbers(self, a: Node, b: Node) -> bool:
        if a[0] != b[0] and not self.loose_types:
            return False
        if {a[0], b[0]} <= NUMERIC:
            return True
        return _is_number(a) and _is_number(b) and (a[1] == b[1] or self.loose_types)

    def _arrays(self, path: str, a: Node, b: Node, scale: float) -> list[str]:
        x, y = np.asarray(a[2]), np.asarray(b[2])
        if a[0] != "python" and b[0] != "python" and a[1] != b[1]:
            return [f"{path}: dtype {a[1]} against {b[1]}"]
        if x.shape != y.shape:
            return [f"{path}: shape {x.shape} against {y.shape}"]
        tolerance = self._tolerance(a, b)
        if tolerance is None:
            wrong = np.asarray(x != y)
        else:
            wrong = _beyond(x, y, tolerance, scale)
        if not wrong.any():
            return []
        where = tuple(int(i) for i in np.argwhere(wrong)[0])
        place = f"{path}{list(where)}" if where else path
        more = f" ({int(wrong.sum())} of {wrong.size} elements)" if wrong.size > 1 else ""
        return [f"{place}: {_show(x[where])} against {_show(y[where])}{more}"]

    def _tolerance(self, a: Node, b: Node) -> Tolerance | None:
        """The looser one of the two sides' tolerances; None where they must be equal."""
        known = [self.tolerances[n] for n in map(_precision, (a, b)) if n in self.tolerances]
        if len(known) < 2 and not (known and self.loose_types):
            return None
        return max(known, key=lambda tolerance: tolerance.rtol)

    # ----------------------------------------------------------------------------- output

    @property
    def _rtol(self) -> float:
        return self.tolerances["float32"].rtol

    def _output(self, before: Snapshot, after: Snapshot) -> list[str]:
        if self.merged_output:
            lines = [shown_lines(s.stdout) + shown_lines(s.stderr) for s in (before, after)]
            return self._any_order(lines[0], lines[1])
        return [
            *self._in_order("stdout", shown_lines(before.stdout), shown_lines(after.stdout)),
            *self._in_order("stderr", shown_lines(before.stderr), shown_lines(after.stderr)),
        ]

    def _in_order(self, stream: str, a: list[str], b: list[str]) -> list[str]:
        for i, (x, y) in enumerate(zip(a, b, strict=False)):
            if not same_text(x, y, rtol=self._rtol):
                return [f"{stream} line {i + 1}: {x!r} against {y!r}"]
        if len(a) != len(b):
            longer, which = (a, "second") if len(a) > len(b) else (b, "first")
            extra = longer[min(len(a), len(b))]
            return [f"{stream}: {len(a)} lines against {len(b)}, the {which} lacks {extra!r}"]
        return []

    def _any_order(self, a: list[str], b: list[str]) -> list[str]:
        left, right = Counter(a), Counter(b)
        unmatched = list((right - left).elements())
        found = []
        for line in (left - right).elements():
            twin = next((o for o in unmatched if same_text(line, o, rtol=self._rtol)), None)
            if twin is None:
                found.append(f"output: the second lacks {line!r}")
            else:
                unmatched.remove(twin)
        return found + [f"output: the first lacks {line!r}" for line in unmatched]


def _describe(node: Node) -> str:
    kind, name, value = node
    if kind in NUMERIC:
        array = np.asarray(value)
        text = f" {_show(array[()])}" if array.ndim == 0 else f" of shape {array.shape}"
        return f"{kind} {name}{text}"
    if kind == "python":
        return f"{name} {value!r:.80}"
    return name if kind == "branch" else f"{kind} {name}"


def _equal(a: Any, b: Any) -> bool:
    if isinstance(a, float) and isinstance(b, float) and math.isnan(a) and math.isnan(b):
        return True
    return bool(a == b)


def _is_sequence(children: Mapping[str, Node]) -> bool:
    return next(iter(children), "").startswith("[0]")


def _is_number(node: Node) -> bool:
    if node[0] == "python":
        return node[1] in ("bool", "int", "float", "complex")
    return node[0] in NUMERIC


def _precision(node: Node) -> str:
    """The dtype whose tolerance holds for a leaf.

    Python floats and NumPy's float64 mostly hold results of float32 work: `float(loss)`,
    `np.mean(losses)`.
    """
    kind, name, _ = node
    if (kind, name) in (("python", "float"), ("numpy", "float64")):
        return "float32"
    return COMPLEX.get(name, name)


def _scale(nodes: list[Node]) -> float:
    """The largest finite magnitude among the scalars of a sequence: losses of one history."""
    values = [np.abs(n[2]) for n in nodes if _is_number(n) and np.asarray(n[2]).dtype.kind in "fc"]
    values = [float(v) for v in values if np.ndim(v) == 0 and np.isfinite(v)]
    return max(values, default=0.0)


def _beyond(
    x: npt.NDArray[Any], y: npt.NDArray[Any], tolerance: Tolerance, scale: float
) -> npt.NDArray[np.bool_]:
    """Where two float arrays differ by more than the tolerance; NaN equals NaN."""
    x, y = (v.astype(np.complex128 if v.dtype.kind == "c" else np.float64) for v in (x, y))
    finite = np.isfinite(x) & np.isfinite(y)
    largest = max([scale, *np.abs(x[finite]).tolist(), *np.abs(y[finite]).tolist()])
    with np.errstate(invalid="ignore"):
        close = np.abs(x - y) <= tolerance.rtol * np.abs(y) + tolerance.atol * largest
    same = (x == y) | (np.isnan(x) & np.isnan(y))
    return np.asarray(~np.where(finite, close, same))


def _show(value: Any) -> str:
    return f"{value:.9g}" if np.asarray(value).dtype.kind == "f" else repr(value)
