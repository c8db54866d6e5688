"""Which ops XLA can compile on CPU and GPU, for which dtypes, and which inputs it needs constant.

An op is named as in `tf.raw_ops`. What XLA does on a TPU is unknown.
"""

from __future__ import annotations

from typing import Literal

from tfxla_lint.knowledge import tables
from tfxla_lint.knowledge.tables import Version

Device = Literal["CPU", "GPU"]

DEVICES: tuple[Device, ...] = ("CPU", "GPU")

_NO_KERNEL = "-"


def known(op: str, version: Version | None = None) -> bool:
    """Whether there is such an op."""
    return _record(op, version) is not None


def has_kernel(op: str, device: str = "CPU", version: Version | None = None) -> bool | None:
    """Whether XLA has a kernel for the op; None for an unknown op or device."""
    record = _record(op, version)
    if record is None or device not in DEVICES:
        return None
    return record != _NO_KERNEL


def takes_dtype(
    op: str, dtype: str, attribute: str = "T", device: str = "CPU", version: Version | None = None
) -> bool | None:
    """Whether a kernel takes the dtype for a type attribute; None where that is unknown."""
    record = _record(op, version)
    if record is None or record == _NO_KERNEL or device not in DEVICES:
        return None
    cpu, _, gpu = record.partition(";")
    sets = tables.load("ops")["types"]
    found: bool | None = None
    for alternative in (gpu if device == "GPU" and gpu else cpu).split("/"):
        for part in alternative.split():
            name, _, number = part.partition("=")
            if name == attribute:
                found = bool(found) or dtype in sets[int(number)].split()
    return found


def constant_inputs(op: str) -> tuple[str, ...]:
    """Inputs whose every distinct value is compiled anew."""
    return tuple(tables.load("ops")["constants"].get(op, "").split())


def _record(op: str, version: Version | None) -> str | None:
    entry = tables.load("ops")["ops"].get(op)
    for candidate in tables.neighbours(version) if version else (None,):
        record = tables.at(entry, candidate)
        if record is not None:
            return str(record)
    return None
