"""The name under which TensorFlow takes an argument today, and names that look like it."""

from __future__ import annotations

import difflib

from tfxla_lint.knowledge import symbols, tables

from ..shared.arguments import RefusedArgument

_ROOT = "tensorflow."
_V1 = "tensorflow.compat.v1."
_CLOSE = 0.7
_MOST = 3
#: Arguments that changed their name and kept their meaning. Which new name holds is for the
#: function to say, and that it took the old name once.
_NEW: dict[str, tuple[str, ...]] = {
    "lr": ("learning_rate",),
    "l": ("l1", "l2"),
    "batch_input_shape": ("batch_shape",),
    "keep_dims": ("keepdims",),
    "reduction_indices": ("axis",),
    "dimension": ("axis",),
    "dim": ("axis",),
    "squeeze_dims": ("axis",),
    "seq_dim": ("seq_axis",),
    "batch_dim": ("batch_axis",),
    "concat_dim": ("axis",),
    "split_dim": ("axis",),
    "thresh": ("threshold",),
    "delimiter": ("sep",),
    "experimental_steps_per_execution": ("steps_per_execution",),
}


def new_name(refused: RefusedArgument) -> str | None:
    """The argument's present name, where it is the same argument."""
    candidates = [n for n in _NEW.get(refused.name, ()) if refused.symbol.accepts(n)]
    if len(candidates) != 1 or not _was_accepted(refused):
        return None
    return candidates[0]


def _was_accepted(refused: RefusedArgument) -> bool:
    """Whether an older TensorFlow took the argument under its old name, or took any keyword."""
    name = refused.symbol.name
    names = [name, _V1 + name.removeprefix(_ROOT)]
    for version in tables.covered():
        for symbol in (symbols.find(n, version) for n in names):
            if symbol is not None and symbol.accepts(refused.name) is not False:
                return True
    return False


def near_names(refused: RefusedArgument) -> list[str]:
    """Arguments of the function whose names look like the one that it does not take."""
    taken: set[str] = set()
    for param in refused.symbol.params or ():
        if param.kind == "keywords":
            taken |= param.known or set()
        elif param.kind != "variadic":
            taken.add(param.name)
    return difflib.get_close_matches(refused.name, sorted(taken), _MOST, _CLOSE)
