"""Arguments and functions that TensorFlow has under an old and a new name."""

from __future__ import annotations

from typing import TypeAlias

Version: TypeAlias = "tuple[int, int]"

FUNCTION = "tensorflow.function"
#: Per function: the old argument, the new one ("": it has no effect), the first version with it.
ARGUMENTS: dict[str, dict[str, tuple[str, Version]]] = {
    FUNCTION: {
        "experimental_compile": ("jit_compile", (2, 5)),
        "experimental_relax_shapes": ("reduce_retracing", (2, 9)),
        "experimental_follow_type_hints": ("", (2, 12)),
    },
    "tensorflow.map_fn": {"dtype": ("fn_output_signature", (2, 3))},
    "tensorflow.math.l2_normalize": {"dim": ("axis", (2, 0))},
    "tensorflow.nn.l2_normalize": {"dim": ("axis", (2, 0))},
    "tensorflow.linalg.l2_normalize": {"dim": ("axis", (2, 0))},
}
#: Per old function: the last part of the new name, and the first version with it.
FUNCTIONS: dict[str, tuple[str, Version]] = {
    "tensorflow.config.experimental_run_functions_eagerly": ("run_functions_eagerly", (2, 3)),
    "tensorflow.config.experimental_functions_run_eagerly": ("functions_run_eagerly", (2, 3)),
}
#: The first version whose `tf.function` has the old names of its options.
_OPTIONS_SINCE = (2, 1)


def function_option(name: str, version: Version | None) -> str | None:
    """What a version calls an option of `tf.function`; None where it has none.

    Without a version it is the newest.
    """
    for old, (new, since) in ARGUMENTS[FUNCTION].items():
        if new == name and version is not None and version < since:
            return old if version >= _OPTIONS_SINCE else None
    return name
