"""What happens to a public endpoint under `tf.function(jit_compile=True)`.

The verdicts come from compiling real calls (source "compiled"); an endpoint for which no call
could be made has none. They hold for CPU and GPU, whose kernels are the same but for a few
dtypes; nothing is known of TPU.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Literal

from tfxla_lint.knowledge import ops as kernels
from tfxla_lint.knowledge import symbols, tables
from tfxla_lint.knowledge.tables import Version

Status = Literal[
    "compiles",
    "unsupported",
    "fails",
    "dynamic-shape",
    "differs",
    "checks-dropped",
    "recompiles",
    "no-ops",
    "untraceable",
    "unknown",
]

#: The first TensorFlow whose `tf.keras` is Keras 3.
_KERAS_3 = (2, 16)


#: In the arguments of a mode, the kind of the tensors themselves: string, sparse or ragged.
KIND = "<kind>"
#: In the arguments of a mode, the text for an argument that is given at all, whatever its value.
GIVEN = "<given>"


@dataclass(frozen=True)
class Mode:
    """An argument value that changes the verdict: `arguments` are literals as source text.

    The name `KIND` stands for the tensors that are passed.
    """

    arguments: Mapping[str, str]
    status: Status
    ops: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True)
class Verdict:
    """What XLA makes of calls of one endpoint.

    `status` is the gravest of what holds; the other fields tell the rest, so a rule asks for the
    field it is about:

    - unsupported: `ops` have no XLA kernel, compilation fails;
    - fails: all kernels exist, yet compilation fails; `reason` says why;
    - dynamic-shape: compiles, the result's shape depends on data (what consumes it may be wrong);
    - differs: compiles and computes something else; `differs` says why;
    - checks-dropped: compiles, the runtime checks `checks` vanish;
    - recompiles: compiles once per distinct value of the tensors in `const_args`;
    - no-ops: makes no TensorFlow operation; untraceable: fails in any `tf.function`.

    `hazards` are silent differences on unusual input only: parameters after a "nan" among whose
    values results differ, whose "range" violation or "zero" raises uncompiled and passes under
    XLA.
    """

    name: str
    status: Status
    ops: tuple[str, ...] = ()
    const_args: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    dynamic_shape: bool = False
    differs: str = ""
    checks: tuple[str, ...] = ()
    random: bool = False
    reason: str = ""
    gradient_ops: tuple[str, ...] = ()
    gradient_reason: str = ""
    hazards: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    modes: tuple[Mode, ...] = ()
    devices: tuple[str, ...] = kernels.DEVICES
    source: str = "compiled"
    version: Version = (0, 0)

    @property
    def compiles(self) -> bool:
        """Whether calls compile, at least with usual arguments."""
        return self.status not in ("unsupported", "fails", "untraceable", "unknown")

    def when(self, arguments: Mapping[str, str], given: Iterable[str] = ()) -> Verdict:
        """The verdict for a call with these literal arguments (name to source text).

        A flag that is not given has no entry; a mode's outcome replaces the endpoint's. `given`
        names arguments that are no literals.
        """
        passed = {*arguments, *given}
        for mode in self.modes:
            if all(
                name in passed if text == GIVEN else arguments.get(name) == text
                for name, text in mode.arguments.items()
            ):
                return self._as(mode)
        return self

    def _as(self, mode: Mode) -> Verdict:
        return replace(
            self,
            status=mode.status,
            ops=mode.ops,
            reason=mode.reason,
            dynamic_shape=mode.status == "dynamic-shape",
            modes=(),
        )


@lru_cache(maxsize=2048)
def verdict(name: str, version: Version | None = None) -> Verdict | None:
    """The verdict on an endpoint by any of its names; None where nothing is known."""
    raw = _raw_op(name)
    if raw is not None:
        return _kernel_verdict(name, raw, version)
    for candidate in _spellings(name, version):
        entry = tables.load("xla")["endpoints"].get(_short(candidate))
        found = _build(name, entry, version) if entry is not None else None
        if found is not None:
            return found
    return None


#: Members that run what a class's verdict is about.
BY_CALLING = {"__call__", "call", "update_state", "result"}
#: Members of optimizers that do what `apply_gradients` does.
_STEPS = {"apply", "minimize"}


def _spellings(name: str, version: Version | None) -> Iterator[str]:
    """The names under which the table may have an endpoint."""
    yield name
    parent, _, leaf = name.rpartition(".")
    symbol = symbols.find(name, version)
    if symbol is not None:
        yield symbol.canonical
    owner = symbols.find(parent, version) if parent else None
    if owner is not None and owner.kind == "class":
        yield f"{owner.canonical}.{leaf}"
        if leaf in BY_CALLING:
            yield owner.canonical
        if leaf in _STEPS:
            yield f"{owner.canonical}.apply_gradients"


def _short(name: str) -> str:
    if name.startswith("keras."):
        return name
    return name.removeprefix(symbols.ROOT).removeprefix("compat.v2.")


def _raw_op(name: str) -> str | None:
    parent, _, op = name.rpartition(".")
    return op if parent.endswith(".raw_ops") else None


def _kernel_verdict(name: str, op: str, version: Version | None) -> Verdict | None:
    has = kernels.has_kernel(op, "CPU", version)
    if has is None:
        return None
    constants = {i: (f"{op}.{i}",) for i in kernels.constant_inputs(op)}
    return Verdict(
        name,
        "unsupported" if not has else "recompiles" if constants else "compiles",
        ops=() if has else (op,),
        const_args=constants if has else {},
        source="kernel list",
        version=version or tables.newest(),
    )


def _build(name: str, entry: Any, version: Version | None) -> Verdict | None:
    asked = _probed_for(version or tables.newest())
    by_version = "status" not in entry
    record = tables.at(entry, asked) if by_version else entry
    if record is None and version is None:
        asked, record = max(tables.versions_of(entry)), tables.at(entry, None)
    return _from_record(name, record, asked) if record else None


def _probed_for(version: Version) -> Version:
    """The probed version that speaks for another one: the latest before it with the same Keras."""
    probed = [(major, minor) for major, minor in tables.load("xla")["probed"]]
    alike = [v for v in probed if (v >= _KERAS_3) == (version >= _KERAS_3)]
    return max((v for v in alike if v <= version), default=alike[0])


def _from_record(name: str, record: Mapping[str, Any], version: Version) -> Verdict:
    constants = record.get("const", {})
    return Verdict(
        name,
        record["status"],
        ops=_words(record.get("ops")),
        const_args={arg: _words(inputs) for arg, inputs in constants.items()},
        dynamic_shape="dynamic" in record,
        differs=record.get("differs", ""),
        checks=_words(record.get("checks")),
        random="random" in record,
        reason=record.get("reason", ""),
        gradient_ops=_words(record.get("gradient_ops")),
        gradient_reason=record.get("gradient_reason", ""),
        hazards={name: _words(args) for name, args in record.get("hazards", {}).items()},
        modes=tuple(_mode(m) for m in record.get("modes", ())),
        version=version,
    )


def _mode(record: Mapping[str, Any]) -> Mode:
    return Mode(
        record["when"], record["status"], _words(record.get("ops")), record.get("reason", "")
    )


def _words(text: str | None) -> tuple[str, ...]:
    return tuple(text.split()) if text else ()
