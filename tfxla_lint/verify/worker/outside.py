"""Puts something else in the place of what a function reads from outside, between two calls.

Which globals and attributes other code may change is said by the parent; what they hold is seen here.
Both sides are changed alike: a place is told by its path, and what is put there by its number.
"""

from __future__ import annotations

import collections
import contextlib
import copy
import functools
import itertools
import time
import types
from typing import Any, Callable, Dict, Iterator, List, Mapping, NamedTuple, Optional, Set, Tuple

import numpy as np
import tensorflow as tf

from tfxla_lint.sandbox.inside.nodes import Node, labels_of
from tfxla_lint.verify.worker.evidence import changed
from tfxla_lint.verify.worker.power import moved

#: So far objects are looked into, so many of them, and so many members of containers.
_DEPTH, _OBJECTS, _MEMBERS = 3, 200, 4
#: So many seconds it is looked in all whether a program changes what a function reads.
_LOOKING = 2.0
#: What has a number for each of a few things.
_MANY = (0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0, 2.25)
#: So many places are changed, each in so many ways.
PLACES, _WAYS = 8, 4
_KERAS = (tf.Module, tf.keras.layers.Layer, tf.keras.optimizers.Optimizer, tf.keras.losses.Loss)
_FUNCTIONS = (types.FunctionType, types.MethodType, types.BuiltinFunctionType, functools.partial)
_SEQUENCES = (list, collections.deque)
#: What stands for a change that the place offers no more of.
Undo = Callable[[], None]


class Place(NamedTuple):
    """Where a value stands: its path, the name that other code may change, how to get and put one."""

    path: str
    name: str
    value: Any
    get: Callable[[], Any]
    put: Callable[[Any], None]
    #: Whether no code of the module changes it, but who uses the object may.
    is_settable: bool = False


class Outside:
    """What may be changed from outside of one function; `own` are the modules that are the user's."""

    def __init__(
        self, told: Mapping[str, Any], own: Set[str], renamed: Optional[Mapping[str, str]] = None
    ) -> None:
        self._names: List[str] = list(told.get("names", ()))
        self._attributes: List[str] = list(told.get("attributes", ()))
        self._words: List[Any] = list(told.get("words", ()))
        self._settable: Set[str] = set(told.get("settable", ()))
        self._own = own
        self._renamed = renamed or {}

    def __bool__(self) -> bool:
        return bool(self._names or self._attributes)

    def places(self, namespace: Mapping[str, Any], owner: Any = None) -> List[Place]:
        """The places whose values a trace would keep."""
        found: Dict[str, Place] = {}
        for place in self._all(namespace, owner):
            if not _is_followed(place.value):
                found.setdefault(place.path, place)
        return list(found.values())[:PLACES]

    def ways(self, place: Place) -> int:
        """In how many ways a place can be changed."""
        return len(list(self._changes(place)))

    @staticmethod
    def needs_change(place: Place) -> bool:
        """Whether there is more than one other value that could stand there.

        Where a flag that is turned is not survived, it has to be as it is.
        """
        return not isinstance(place.value, bool)

    @contextlib.contextmanager
    def changed(
        self, path: str, way: int, namespace: Mapping[str, Any], owner: Any = None
    ) -> Iterator[bool]:
        """Let something else stand at a path; yields whether there is that place and that way."""
        place = next((p for p in self.places(namespace, owner) if p.path == path), None)
        changes = list(self._changes(place)) if place is not None else []
        undo: Optional[Undo] = None
        with contextlib.suppress(Exception):
            undo = changes[way]()
        try:
            yield undo is not None
        finally:
            with contextlib.suppress(Exception):
                if undo is not None:
                    undo()

    # Places

    def _all(self, namespace: Mapping[str, Any], owner: Any) -> Iterator[Place]:
        for name in self._names:
            known = name if name in namespace else self._renamed.get(name, name)
            if known in namespace and isinstance(namespace, dict):
                get = functools.partial(namespace.get, known)
                put = functools.partial(namespace.__setitem__, known)
                yield Place(name, name, namespace[known], get, put)
        if not self._attributes:
            return
        pending: List[Tuple[str, Any, int]] = [("self", owner, 0)] if owner is not None else []
        pending += [(n, v, 0) for n, v in namespace.items() if not n.startswith("__")]
        seen: Set[int] = set()
        while pending and len(seen) < _OBJECTS:
            path, value, depth = pending.pop(0)
            if id(value) in seen or not self._is_looked_into(value):
                continue
            seen.add(id(value))
            if isinstance(value, (list, tuple, dict)):
                keys = value if isinstance(value, dict) else range(len(value))
                held = value.values() if isinstance(value, dict) else value
                few = itertools.islice(zip(labels_of(keys), held), _MEMBERS)
                inner = [(f"{path}{label}", part) for label, part in few]
            else:
                yield from self._of_object(path, value)
                inner = [(f"{path}.{k}", v) for k, v in list(_parts(value).items())]
            if depth < _DEPTH:
                pending += [(where, part, depth + 1) for where, part in inner]

    def _of_object(self, path: str, value: Any) -> Iterator[Place]:
        for name in self._attributes:
            known, held = name, inspected(value, name)
            if held is inspected and name in self._renamed:
                known, held = self._renamed[name], inspected(value, self._renamed[name])
            if held is not inspected:
                get = functools.partial(getattr, value, known)
                put = functools.partial(setattr, value, known)
                yield Place(f"{path}.{name}", name, held, get, put, name in self._settable)

    def _is_looked_into(self, value: Any) -> bool:
        if isinstance(value, (list, tuple, dict, types.SimpleNamespace)):
            return True
        if isinstance(value, type) or not hasattr(value, "__dict__"):
            return False
        return type(value).__module__ in self._own or isinstance(value, _KERAS)

    # Changes

    def _changes(self, place: Place) -> Iterator[Callable[[], Undo]]:
        """What changes the place; each gives what undoes it."""
        value = place.value
        if place.is_settable and value is not None:
            yield functools.partial(_put, place, None)
        if isinstance(value, _SEQUENCES):
            yield from self._of_sequence(value)
        elif isinstance(value, dict):
            yield from self._of_dict(value)
        elif isinstance(value, set):
            yield from self._of_set(value)
        elif isinstance(value, np.ndarray) and value.flags.writeable:
            for other in self.others(value):
                yield functools.partial(_filled, value, other)
        elif isinstance(value, tf.Variable):
            for other in self.others(value.numpy().item()):
                yield functools.partial(_assigned, value, other)
        else:
            for other in self.others(value):
                yield functools.partial(_put, place, other)

    def _of_sequence(self, value: Any) -> Iterator[Callable[[], Undo]]:
        """One member more, and another one in the place of the last."""
        old = list(value)
        for other in old[-1:] or [1.0, *self._words[:1], _as_it_is]:
            yield functools.partial(_held, value, old, [*old, other])
        for other in list(self.others(old[-1]))[:1] if old else ():
            yield functools.partial(_held, value, old, [*old[:-1], other])

    def _of_set(self, value: Set[Any]) -> Iterator[Callable[[], Undo]]:
        """A member more, of what may be asked for: numbers of places, words; or none at all.

        What stands in it says of which kind its members are.
        """
        kinds = {type(member) for member in value}
        words = [0, 1, *self._words, "a"]
        new = [word for word in words if word not in value and (not kinds or type(word) in kinds)]
        for word in new[: _WAYS - 1]:
            yield functools.partial(_exchanged, value, value | {word})
        if value:
            yield functools.partial(_exchanged, value, set())

    def _of_dict(self, value: Dict[Any, Any]) -> Iterator[Callable[[], Undo]]:
        """Other values, one after the other, and a key more."""
        old = dict(value)
        # Those first that are asked for by a word.
        for key in sorted(old, key=lambda key: key not in self._words)[:_MEMBERS]:
            for other in list(self.others(old[key]))[:2]:
                yield functools.partial(_updated, value, old, {key: other})
        new = next((word for word in [*self._words, "a"] if word not in old), None)
        yield functools.partial(_updated, value, old, {new: next(iter(old.values()), 1.0)})

    def others(self, value: Any) -> Iterator[Any]:
        """What may stand in the place of a value."""
        return itertools.islice(self._others(value), _WAYS)

    def _others(self, value: Any) -> Iterator[Any]:
        if isinstance(value, bool):
            yield not value
        elif isinstance(value, (int, float)) and not isinstance(value, np.generic):
            yield value + 1 if isinstance(value, int) else value * 1.5 + 0.25
            kind = type(value)
            yield from (w for w in self._words if type(w) is kind and w != value)
        elif isinstance(value, str):
            yield from [w for w in self._words if isinstance(w, str) and w != value][: _WAYS - 1]
            yield f"{value}_"
        elif value is None:
            yield from (2.0, _as_it_is, list(_MANY), *self._words[:1])
        elif isinstance(value, tuple) and not hasattr(value, "_fields"):
            for place, part in enumerate(value):
                for other in list(self.others(part))[:1]:
                    yield (*value[:place], other, *value[place + 1 :])
        elif isinstance(value, (np.ndarray, np.generic, tf.Tensor)):
            other = moved(value)
            if other is not None:
                yield other
        elif isinstance(value, _FUNCTIONS) or _is_traced(value):
            yield functools.partial(_moving, value)
        else:
            other = self._other_object(value)
            if other is not None:
                yield other

    def _other_object(self, value: Any) -> Optional[Any]:
        """A copy of an object that holds something else."""
        if not isinstance(value, _KERAS) and type(value).__module__ not in self._own:
            return None
        try:
            other = copy.deepcopy(value)
        except Exception:
            return None
        is_other = False
        variables = getattr(other, "variables", ())
        for variable in variables() if callable(variables) else variables:
            new = moved(tf.convert_to_tensor(variable))
            if new is not None:
                variable.assign(new)
                is_other = True
        for name, part in list(_parts(other).items()):
            if isinstance(part, (int, float, str, np.ndarray, tf.Tensor)) and not is_other:
                for new in list(self.others(part))[:1]:
                    setattr(other, name, new)
                    is_other = True
        return other if is_other else None


class Looking:
    """Looks at what stands outside of a function each time it runs: has other code changed it?"""

    def __init__(self, outside: Outside, record: Callable[[Any], Node]) -> None:
        self._outside = outside
        self._record = record
        self._first: Optional[List[Tuple[Place, Node]]] = None
        self._seconds = 0.0
        #: The places that held something else in a later run of the function, with their names.
        self.changed: Dict[str, str] = {}

    def look(self, namespace: Callable[[], Mapping[str, Any]], owner: Any) -> None:
        """Look once more; what takes too long is left."""
        if not self._outside or self._seconds > _LOOKING:
            return
        began = time.perf_counter()
        with contextlib.suppress(Exception):
            if self._first is None:
                places = self._outside.places(namespace(), owner)
                self._first = [(place, self._record(place.value)) for place in places]
            for place, node in self._first:
                if place.path not in self.changed and any(changed(node, self._record(place.get()))):
                    self.changed[place.path] = place.name
        self._seconds += time.perf_counter() - began


def _parts(value: Any) -> Dict[str, Any]:
    """What an object holds by name: nothing, where it is written in C, or has slots."""
    return getattr(value, "__dict__", {})


def inspected(value: Any, name: str) -> Any:
    """What an object itself holds by a name; this function where it holds nothing there."""
    with contextlib.suppress(Exception):
        if name in vars(value) or (isinstance(value, _KERAS) and hasattr(value, name)):
            return getattr(value, name)
        if name in vars(type(value)) and not isinstance(vars(type(value))[name], property):
            return getattr(value, name)
    return inspected


def _is_followed(value: Any) -> bool:
    """Whether a trace sees each change of it: a variable, or what is no value at all."""
    if isinstance(value, tf.Variable):
        # A number of the other version may be held by it.
        return bool(value.shape.rank != 0 or value.dtype == tf.string)
    is_keras = type(value).__name__ == "Variable" and hasattr(value, "assign")
    return is_keras or isinstance(value, (type, types.ModuleType, tf.random.Generator))


def _is_traced(value: Any) -> bool:
    return callable(getattr(value, "python_function", None))


@tf.autograph.experimental.do_not_convert  # type: ignore[untyped-decorator]
def _moving(function: Any, *args: Any, **kwargs: Any) -> Any:
    """What a function gives, moved."""
    return tf.nest.map_structure(_moved_part, function(*args, **kwargs))


def _moved_part(value: Any) -> Any:
    other = moved(value) if isinstance(value, (int, float, np.ndarray, tf.Tensor)) else None
    return value if other is None else other


@tf.autograph.experimental.do_not_convert  # type: ignore[untyped-decorator]
def _as_it_is(*args: Any, **kwargs: Any) -> Any:
    """A callable where there was none: it changes what it is given."""
    return _moved_part(args[0]) if args else None


def _exchanged(value: Set[Any], new: Set[Any]) -> Undo:
    old = set(value)

    def hold(members: Set[Any]) -> None:
        value.clear()
        value.update(members)

    hold(new)
    return functools.partial(hold, old)


def _put(place: Place, other: Any) -> Undo:
    place.put(other)
    return functools.partial(place.put, place.value)


def _filled(array: Any, other: Any) -> Undo:
    old = array.copy()
    array[...] = other
    return functools.partial(array.__setitem__, ..., old)


def _assigned(variable: Any, other: Any) -> Undo:
    old = variable.numpy()
    variable.assign(tf.cast(other, variable.dtype))
    return functools.partial(variable.assign, old)


def _held(value: Any, old: List[Any], new: List[Any]) -> Undo:
    value.clear()
    value.extend(new)

    def undo() -> None:
        value.clear()
        value.extend(old)

    return undo


def _updated(value: Dict[Any, Any], old: Dict[Any, Any], more: Dict[Any, Any]) -> Undo:
    value.update(more)

    def undo() -> None:
        value.clear()
        value.update(old)

    return undo
