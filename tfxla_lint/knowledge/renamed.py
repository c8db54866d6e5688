"""Arguments and functions that TensorFlow has under an old and a new name."""

from __future__ import annotations

from typing import TypeAlias

from tfxla_lint.knowledge import tables

Version: TypeAlias = "tuple[int, int]"

FUNCTION = "tensorflow.function"
#: Per function: the old argument, the new one ("": it has no effect), the first version with it.
ARGUMENTS: dict[str, dict[str, tuple[str, Version]]] = {
    function: {old: (new, (since[0], since[1])) for old, (new, since) in arguments.items()}
    for function, arguments in tables.load("new_names")["arguments"].items()
}
#: Per old function: the last part of the new name, and the first version with it.
FUNCTIONS: dict[str, tuple[str, Version]] = {
    old: (new, (since[0], since[1]))
    for old, (new, since) in tables.load("new_names")["functions"].items()
}
#: Per old method of a class: the new name.
METHODS: dict[str, str] = tables.load("new_names")["methods"]
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


def option_spellings(name: str) -> tuple[str, ...]:
    """What an option of `tf.function` is called, and was called in older versions."""
    return (name, *(old for old, (new, _) in ARGUMENTS[FUNCTION].items() if new == name))
