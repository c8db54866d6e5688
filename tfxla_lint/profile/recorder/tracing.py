"""Watches `tf.function` objects: which calls trace, why they trace again, and how long they take."""

from __future__ import annotations

import functools
import sys
import types
import weakref
from collections.abc import Callable
from typing import Any

from tfxla_lint.profile.recorder.describing import describe, differences
from tfxla_lint.profile.recorder.observing import Observer, clock
from tfxla_lint.profile.recorder.records import Described, Function

#: A call that traces is compared with at most this many earlier ones.
_KEPT_TRACES = 64
_WRAPPERS = 12
#: The graphs in which Keras works out the shapes of symbolic layers' outputs.
_SYMBOLIC_GRAPHS = ("keras_graph", "scratch_graph")


class Watched:
    """A `tf.function` object whose Python function belongs to the program."""

    def __init__(self, record: Function, is_bound: bool, is_compiled: bool) -> None:
        self.record = record
        self.is_bound = is_bound
        self.is_compiled = is_compiled
        self.is_first = record.objects == 0
        self.traced: list[dict[str, Described]] = []
        record.objects += 1

    def arguments(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        """The arguments of a call by the names of their parameters."""
        plain = [name for name in self.record.names if not name.startswith("*")][self.is_bound :]
        star = next((n for n in self.record.names if n[0] == "*" and n[1] != "*"), "*")
        named: dict[str, Any] = {plain[i]: value for i, value in enumerate(args[: len(plain)])}
        if len(args) > len(plain):
            named[star] = args[len(plain) :]
        named.update(kwargs)
        return named

    def add(self, named: dict[str, Any], seconds: float, traces: bool) -> None:
        """Take note of a call that has come back."""
        record = self.record
        record.graph += 1
        record.compiled += self.is_compiled
        record.times["tracing" if traces else "graph"].add(seconds)
        if not record.is_due() and not traces:
            return
        signature = {name: describe(value) for name, value in named.items()}
        record.observe(signature)
        if traces:
            record.traces += 1
            self._explain(signature)
            del self.traced[_KEPT_TRACES - 1 :]
            self.traced.insert(0, signature)

    def _explain(self, signature: dict[str, Described]) -> None:
        """Count why this call traced: what tells it from the most similar call that did."""
        if not self.traced:
            causes = [] if self.is_first else [("", "new function")]
        else:
            found = [differences(earlier, signature) for earlier in self.traced]
            causes = min(found, key=len) or [("", "unknown")]
        for cause in causes:
            self.record.retraces[cause] = self.record.retraces.get(cause, 0) + 1


class Watch:
    """Finds the functions of the program behind `tf.function` objects."""

    def __init__(self, observer: Observer) -> None:
        self.observer = observer
        self._known: weakref.WeakKeyDictionary[Any, Watched | None] = weakref.WeakKeyDictionary()

    def of(self, function: Any) -> Watched | None:
        """What is known of a `tf.function` object; None where it runs foreign code."""
        try:
            return self._known[function]
        except KeyError:
            found = self._known[function] = self._find(function)
            return found

    def _find(self, function: Any) -> Watched | None:
        target = getattr(function, "python_function", None)
        index, is_bound = None, False
        for _ in range(_WRAPPERS):
            code = getattr(target, "__code__", None)
            if code is not None:
                key = (code.co_filename, code.co_firstlineno, code.co_name)
                index = self.observer.by_code.get(key, index)
            is_bound = is_bound or isinstance(target, types.MethodType)
            target = _inner(target)
            if target is None:
                break
        if index is None:
            return None
        is_compiled = bool(getattr(function, "_jit_compile", False))
        return Watched(self.observer.functions[index], is_bound, is_compiled)


def _inner(target: Any) -> Any:
    """What a wrapper, a bound method or a partial calls."""
    for name in ("__wrapped__", "__func__", "python_function"):
        found = getattr(target, name, None)
        if found is not None and found is not target:
            return found
    return target.func if isinstance(target, functools.partial) else None


def watch_calls(kind: Any, watch: Watch) -> None:
    """Take note of each call of TensorFlow's class of `tf.function` objects."""
    original = kind.__call__
    observer = watch.observer

    @functools.wraps(original)
    def call(*args: Any, **kwargs: Any) -> Any:
        watched = _watched(watch, args[0])
        if watched is None:
            return original(*args, **kwargs)
        function = args[0]
        named = watched.arguments(args[1:], kwargs)
        before = function.experimental_get_tracing_count()
        start = clock()
        try:
            return original(*args, **kwargs)
        finally:
            now = clock()
            traces = function.experimental_get_tracing_count() != before
            _note(observer, watched, named, now - start, traces)

    kind.__call__ = call


def _watched(watch: Watch, function: Any) -> Watched | None:
    """The function to observe: not one that is inlined in a graph or told to run eagerly."""
    try:
        if not watch.observer.is_eager() or function._run_functions_eagerly:
            return None
        return watch.of(function)
    except Exception:
        return None


def _note(
    observer: Observer,
    watched: Watched,
    named: dict[str, Any],
    seconds: float,
    traces: bool,
) -> None:
    try:
        watched.add(named, seconds, traces)
        observer.write_when_due(clock())
    except Exception:
        return


def watch_conversions(conversion: Any, observer: Observer) -> None:
    """Take note of each function that AutoGraph calls while it traces.

    AutoGraph asks for every callee whether it is on its list of functions to leave alone. Listening
    there leaves no frame in the stack traces that TensorFlow keeps of the ops.
    """
    original = conversion.is_in_allowlist_cache

    def is_in_allowlist_cache(entity: Any, options: Any) -> Any:
        observer.converted(entity)
        return original(entity, options)

    conversion.is_in_allowlist_cache = is_in_allowlist_cache


def is_symbolic() -> bool:
    """Whether the graph being built is one that Keras makes to learn shapes."""
    ops = sys.modules.get("tensorflow.python.framework.ops")
    if ops is None:
        return False
    return str(getattr(ops.get_default_graph(), "name", "")).startswith(_SYMBOLIC_GRAPHS)


def hooks(observer: Observer) -> dict[str, Callable[[Any], None]]:
    """What to do when a module of TensorFlow has been imported, by the module's name."""
    watch = Watch(observer)

    def context(module: Any) -> None:
        observer.is_eager = module.executing_eagerly
        observer.is_symbolic = is_symbolic

    def functions(module: Any) -> None:
        if module.Function.__module__ == module.__name__:
            watch_calls(module.Function, watch)

    return {
        "tensorflow.python.eager.context": context,
        "tensorflow.python.eager.polymorphic_function.polymorphic_function": functions,
        "tensorflow.python.eager.def_function": functions,
        "tensorflow.python.autograph.impl.conversion": lambda m: watch_conversions(m, observer),
    }
