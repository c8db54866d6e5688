"""Arguments and functions that TensorFlow has under an old and a new name."""

from __future__ import annotations

from typing import TypeAlias

from tfxla_lint.knowledge import symbols, tables

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
#: Per old attribute of a class: the new name, which stands beside it as long as it is there.
ATTRIBUTES: dict[str, str] = tables.load("new_names")["attributes"]
#: The first version whose `tf.function` has the old names of its options.
_OPTIONS_SINCE = (2, 1)
#: Names, and arguments as `name(argument)`, that came later than TensorFlow 2.0 and before the
#: versions that the other tables cover, with the first version that has them.
_SINCE: dict[str, Version] = {
    name: (since[0], since[1]) for name, since in tables.load("new_names")["since"].items()
}
_SINCE |= {f"{old.rpartition('.')[0]}.{new}": since for old, (new, since) in FUNCTIONS.items()}
_SINCE |= {
    f"{function}({new})": since
    for function, arguments in ARGUMENTS.items()
    for new, since in arguments.values()
    if new
}
_BEFORE: dict[str, str] = tables.load("new_names")["before"]


def spelled_in(name: str, version: Version | None) -> str:
    """What a version calls what newer ones call `name`; `name` itself where that is not known."""
    return _BEFORE.get(name, name) if version is not None and lacks(name, version) else name


def lacks(name: str, version: Version, argument: str = "") -> bool:
    """Whether a version surely has no such name, or no such argument of it."""
    parts = name.split(".")
    whole = f"{name}({argument})"
    keys = (whole, *(".".join(parts[:end]) for end in range(2, len(parts) + 1)))
    if any(version < _SINCE.get(key, version) for key in keys) or symbols.missing(name, version):
        return True
    symbol = symbols.find(name, version) if argument else None
    return symbol is not None and symbol.accepts(argument) is False


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
