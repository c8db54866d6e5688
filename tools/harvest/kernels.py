"""Lists the XLA kernels and all ops of the TensorFlow that runs it, as JSON.

    python -m tools.harvest kernels --python PY --out RAW

XLA registers its kernels on the first compilation, so one is done first. The plain `tensorflow`
wheel lists the kernels of XLA_GPU_JIT too, on a machine without a GPU.
"""

from __future__ import annotations

import json
from typing import Any

DEVICES = {"XLA_CPU_JIT": "CPU", "XLA_GPU_JIT": "GPU"}


def registered() -> dict[str, dict[str, list[dict[str, list[str]]]]]:
    """Device -> op -> one ``{attribute: dtypes}`` for each registration."""
    import tensorflow as tf
    from tensorflow.python.framework import dtypes, kernels

    tf.function(lambda x: x + 1, jit_compile=True)(tf.constant(1.0))
    found: dict[str, dict[str, list[dict[str, list[str]]]]] = {d: {} for d in DEVICES.values()}
    for kernel in kernels.get_all_registered_kernels().kernel:
        if kernel.device_type not in DEVICES:
            continue
        types = {
            constraint.name: sorted(
                dtypes.as_dtype(t).name for t in constraint.allowed_values.list.type
            )
            for constraint in kernel.constraint
        }
        found[DEVICES[kernel.device_type]].setdefault(kernel.op, []).append(types)
    return {device: ops for device, ops in found.items() if ops}


def all_ops() -> list[str]:
    """Every public op: those with a wrapper in `tf.raw_ops`."""
    import tensorflow as tf

    return sorted(name for name in dir(tf.raw_ops) if not name.startswith("_"))


def harvest() -> dict[str, Any]:
    import tensorflow as tf

    return {"tensorflow": tf.__version__, "kernels": registered(), "ops": all_ops()}


def main(out: str) -> None:
    with open(out, "w", encoding="utf-8") as stream:
        json.dump(harvest(), stream, indent=0, sort_keys=True)
