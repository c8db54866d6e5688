"""Which arguments of a function may be tensors of which a graph does not know the value.

Eager code takes a tensor for an axis, a flag or a number of parts, and reads its value; while tracing
there is none. Each argument of a call that runs is given as a tensor, eagerly and in a graph. What
runs eagerly alone has to be static; a list has to do as one of tensors, too.
"""

from __future__ import annotations

import contextlib
import io
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import tensorflow as tf

from tools.harvest import calls, compare, signatures
from tools.harvest.calls import Call
from tools.harvest.probe import Prober

MOST_CALLS = 6
#: What an option may be that is not given, where it may be a number.
_INSTEAD_OF_NONE = (0, 1.0, True, [2, 3])


def probe(prober: Prober, name: str) -> dict[str, Any]:
    """The parameters of one endpoint that are `static`; `name[]` is one that takes a tensor in a graph, and
    no list of them, and `name?` one that is only where another argument is such and such."""
    fates: dict[str, set[bool]] = {}
    ran = False
    with contextlib.redirect_stdout(io.StringIO()):
        listed = prober.by_alias.get(name)
        calls_of = prober.calls_of(listed.name if listed is not None else name)
        for call in itertools.islice(calls_of, MOST_CALLS):
            if call.stateful or not _agrees(call.run, call.run):
                continue
            ran = True
            for parameter, value in _arguments(call):
                for given, plain in _as_tensors(value):
                    fate = _fate(call, parameter, given, plain)
                    asked = f"{parameter}[]" if isinstance(given, (list, tuple)) else parameter
                    fates.setdefault(asked, set()).update([] if fate is None else [fate])
    if not ran:
        return {"failed": "no call ran"}
    static = {asked for asked, found in fates.items() if found == {False}}
    static -= {f"{asked}[]" for asked in static}
    doubtful = {asked for asked, found in fates.items() if found == {False, True}}
    return {"static": sorted({*static, *(f"{asked}?" for asked in doubtful)})}


def _arguments(call: Call) -> Iterator[tuple[str, Any]]:
    """What is given, and what may be given besides."""
    given = call.arguments()
    yield from ((name, value) for name, value in given.items() if not name.startswith("*"))
    signature = signatures.signature_of(call.function)
    for parameter in signature.parameters.values() if signature else ():
        if parameter.name in given or parameter.name == "name":
            continue
        if parameter.default is None:
            yield from ((parameter.name, value) for value in _INSTEAD_OF_NONE)
        elif isinstance(parameter.default, (bool, int, float)):
            yield parameter.name, parameter.default


def _as_tensors(value: Any) -> Iterator[tuple[Any, Any]]:
    """The value with tensors in it, in each way in which code may write that, and without them."""
    if any(True for _ in calls.leaves_of(value)):
        yield value, None
    elif isinstance(value, (bool, int, float, complex)):
        yield tf.constant(value), value
        if type(value) is int:
            # As for several axes.
            yield tf.constant([value]), [value]
            yield [tf.constant(value)], [value]
    elif calls.is_data(value):
        with contextlib.suppress(Exception):
            yield tf.constant(value), value
        if isinstance(value, (list, tuple)):
            yield type(value)(tf.constant(part) for part in value), value
            if not all(map(_is_number, value)):
                rows = [row for row in value if not _is_number(row)]
                yield [[tf.constant(part) for part in row] for row in rows], rows


def _is_number(value: Any) -> bool:
    return isinstance(value, (bool, int, float))


def _fate(call: Call, parameter: str, given: Any, plain: Any) -> bool | None:
    """Whether a graph takes tensors there, and gives the same; None where eager code does not, either, or
    where a graph takes not even what is `plain` in their place: then it is no matter of values.
    """
    split = calls.split(call.replaced({parameter: given}))
    own = [place for place, owner in enumerate(split.owners) if owner == parameter]
    if not own:
        return None

    def run(*tensors: Any) -> Any:
        every = list(split.tensors)
        for place, tensor in zip(own, tensors, strict=True):
            every[place] = tensor
        return split.function(*every)

    tensors = [split.tensors[place] for place in own]
    try:
        run(*tensors)
    except Exception:
        return None
    if not _takes(call if plain is None else call.replaced({parameter: plain})):
        return None
    traced = tf.function(run, autograph=False, reduce_retracing=False)
    return _agrees(lambda: run(*tensors), lambda: traced(*tensors))


def _takes(call: Call) -> bool:
    """Whether a call runs in a graph."""
    try:
        tf.function(call.run, autograph=False)()
    except Exception:
        return False
    return True


def _agrees(one: Callable[[], Any], other: Callable[[], Any]) -> bool:
    """Whether two calls run and give the same."""
    try:
        return not compare.difference(compare.values_of(one()), compare.values_of(other()))
    except Exception:
        return False
