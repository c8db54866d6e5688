"""Counts how often marked code runs, and records what marked functions return.

The parent marks code in the source: `__txl_hit__("train_step")` as a statement, in methods with the
object, and `@__txl_boundary__("train_step")` as the outermost decorator. What is timed is marked too: a loop by
`__txl_turns__(0)` before it and `__txl_turn__(0)` at the beginning of its body, a decorated function
by `@__txl_made__("train_step")`.
"""

from __future__ import annotations

import collections
import contextlib
import functools
import time
from dataclasses import replace
from typing import (
    Any,
    Callable,
    Dict,
    Iterable,
    Iterator,
    List,
    Mapping,
    Optional,
    Sequence,
    Set,
    Tuple,
)

import numpy as np
import tensorflow as tf
from tensorflow.python import pywrap_tfe

from tfxla_lint.sandbox.inside.nodes import ELEMENTS, Node, Recorder
from tfxla_lint.sandbox.inside.owners import own_modules
from tfxla_lint.sandbox.inside.surroundings import captured
from tfxla_lint.sandbox.inside.watch import lent
from tfxla_lint.verify.worker.clock import Clock, measured, traces_of
from tfxla_lint.verify.worker.evidence import Start
from tfxla_lint.verify.worker.kinds import kinds_of
from tfxla_lint.verify.worker.outside import Looking, Outside
from tfxla_lint.verify.worker.power import TooLong, limited
from tfxla_lint.verify.worker.replays import RESULT, Replaying
from tfxla_lint.verify.worker.sides import Side, failure
from tfxla_lint.verify.worker.states import Held, States
from tfxla_lint.verify.worker.turned import Row, median_row
from tfxla_lint.verify.worker.values import Spec
from tfxla_lint.verify.worker.variations import Last

#: So many calls of each function are recorded; after that they are only counted.
RECORDED = 24
#: Functions whose call takes longer than this are not called again to be timed.
_LONG = 1000.0
_TIMED = 4
#: So many calls of each function are timed.
_NOTED = 200
#: So many objects are looked at before and after, and so many data sets for so long.
_TOUCHED, _DATA = 64, 8
_SECONDS = 5.0
_CHANGEABLE = (list, dict, set, collections.deque, np.ndarray)


class Watch:
    """What was seen of one run."""

    def __init__(
        self,
        own: Set[str],
        starts: Callable[[], Optional[Start]],
        on_result: Callable[[str, int, Node], None],
        looking: Mapping[str, Looking],
        namespace: Callable[[], Mapping[str, Any]],
    ) -> None:
        self.own = own
        self._on_result = on_result
        #: By function what looks at what it reads from outside, in the namespace of its file.
        self._looking = looking
        self._namespace = namespace
        self.is_open = True
        self._starts = starts
        #: How things stood when marked code first ran.
        self.start: Optional[Start] = None
        self.hits: Dict[str, int] = {}
        self.calls: Dict[str, List[Node]] = {}
        #: By function of which kinds its arguments are in a trace.
        self.kinds: Dict[str, Dict[str, Spec]] = {}
        self.clock = Clock()
        self._last: Dict[str, Tuple[List[float], Last]] = {}
        #: Objects whose methods run, and what is passed that can be changed, as it was then.
        self._touched: Dict[int, Tuple[str, Any, Node]] = {}
        self._data: List[Tuple[str, Any, Optional[Node]]] = []

    def hit(self, name: str, owner: Any = None) -> None:
        """Note that the code `name` runs, on an object where it is a method."""
        if not self.hits:
            self.hits[name] = 0
            self.start = self._starts()
        self.hits[name] = self.hits.get(name, 0) + 1
        if owner is not None:
            self.touch(type(owner).__name__, owner)
        if name in self._looking and tf.executing_eagerly():
            self._looking[name].look(self._namespace, owner)

    @tf.autograph.experimental.do_not_convert  # type: ignore[untyped-decorator]
    def traced(self, name: str, again: Last) -> None:
        """Note that a function runs in a trace, such as that of Keras, if nowhere else, and what it is passed."""
        if name not in self.kinds:
            self.kinds[name] = kinds_of(again)
        if not self.hits:
            with tf.init_scope():
                self.start = self._starts()
        self.hits.setdefault(name, 0)

    def changed(self) -> Dict[str, Dict[str, str]]:
        """By function the places outside that other code changed between its runs, with their names."""
        return {name: dict(looking.changed) for name, looking in self._looking.items()}

    def touch(self, kind: str, value: Any) -> None:
        """Note something that may be changed from now on."""
        if id(value) not in self._touched and len(self._touched) < _TOUCHED:
            with contextlib.suppress(Exception), tf.init_scope():
                self._touched[id(value)] = (kind, value, Recorder(self.own).record(value))

    def passed(self, name: str, arguments: Iterable[Any]) -> None:
        """Note the arguments of a call that it can change."""
        for number, value in enumerate(arguments):
            if isinstance(value, _CHANGEABLE) or type(value).__module__ in self.own:
                self.touch(f"argument {number + 1} of {name}()", value)

    def touched(self) -> List[Held]:
        """What is left of the objects that changed code could change."""
        held = []
        for kind, value, start in self._touched.values():
            held.append(Held(kind, Recorder(self.own).record(value), start, False))
        return held

    def elements(self) -> List[Held]:
        """What the data sets hold that changed functions returned, gone through twice."""
        held = []
        for name, data, early in self._data:
            node = early
            with contextlib.suppress(Exception, TooLong), limited(_SECONDS), captured():
                node = node or self._passes(data)
            if node is not None:
                held.append(Held(f"the elements of {name}()", node, None, True))
        return held

    def _passes(self, data: Any) -> Node:
        return Recorder(self.own).record([list(data.take(ELEMENTS)) for _ in range(2)])

    def _note_data(self, name: str, data: Any) -> None:
        """Note a data set; the files that it reads may be gone when the program has ended."""
        early: Optional[Node] = None
        with contextlib.suppress(Exception), captured():
            if _is_repeatable(data):
                early = self._passes(data)
        self._data.append((name, data, early))

    def returned(self, name: str, value: Any) -> None:
        """Note what the function `name` returned."""
        if isinstance(value, tf.data.Dataset) and len(self._data) < _DATA:
            self._note_data(name, value)
        calls = self.calls.setdefault(name, [])
        if len(calls) < RECORDED:
            calls.append(Recorder(self.own).record(value))
            self._on_result(name, len(calls), calls[-1])

    def called(self, name: str, milliseconds: float, again: Last) -> None:
        """Note how long a call took, and how to repeat it."""
        times, before = self._last.get(name, ([], again))
        if len(times) < _NOTED:
            times.append(milliseconds)
        is_taped = again.is_taped or before.is_taped
        self._last[name] = (times, replace(again, is_taped=is_taped))

    def times(self, seconds: float) -> Dict[str, Row]:
        """The median time of a call of each function: the last call, repeated if it is short.

        That takes so many seconds for each of them.
        """
        found = {}
        for name, (times, again) in list(self._last.items())[:_TIMED]:
            row = median_row(times, "call")
            if times[-1] < _LONG:
                try:
                    milliseconds, calls = measured(again, seconds)
                except Exception:
                    continue
                row = {"milliseconds": milliseconds, "calls": calls, "per": "call"}
                row["first_milliseconds"] = times[0]
            if row is not None:
                found[name] = {**row, "traces": traces_of(again.function)}
        return found

    @property
    def last(self) -> Dict[str, Last]:
        """The last call of each function, of some whose calls are short."""
        rows = list(self._last.items())[:_TIMED]
        return {name: again for name, (times, again) in rows if times[-1] < _LONG}

    def replaying(
        self,
        state: Callable[[], Node],
        states: States,
        ran: Set[int],
        is_far: bool,
        compared: Sequence[float],
        has_infinities: bool,
    ) -> Replaying:
        """What calls functions again; what they return is noted together with the state then."""

        def record(value: Any, owner: Any = None) -> Node:
            result = Recorder(self.own, takes_elements=True).record(value)
            rows = [(RESULT, result), (": ", state())]
            if owner is not None:
                # Nothing else may hold it any more.
                rows.append((": self", Recorder(self.own).record(owner)))
            return "branch", "call", rows

        more = (is_far, compared, has_infinities)
        return Replaying(record, states, self.own, ran, _raised, *more)

    @contextlib.contextmanager
    def closed(self) -> Iterator[None]:
        """Note nothing of what is called in the meantime."""
        self.is_open = False
        try:
            yield
        finally:
            self.is_open = True

    def boundary(self, name: str) -> Callable[[Any], Any]:
        """The decorator that watches a function."""
        return lambda function: Boundary(function, name, self)


def _raised(error: BaseException) -> str:
    found = failure(error)
    return found.kind if found.is_raised_here else ""


def _is_repeatable(data: Any) -> bool:
    """Whether going through a data set changes nothing: it neither draws nor runs Python code."""
    pending = [data]
    while pending:
        stage = pending.pop()
        graphs = [function.function.graph for function in stage._functions()]
        operations = [op for graph in graphs for op in graph.get_operations()]
        acting = {op.type for op in operations if op.op_def.is_stateful}
        if "Shuffle" in type(stage).__name__ or any(map(_acts, acting)):
            return False
        pending += stage._inputs()
    return True


def _acts(kind: str) -> bool:
    """Whether an operation with a state is more than a source of elements."""
    return kind == "GeneratorDataset" or not kind.endswith(("Dataset", "DatasetV2"))


class Boundary:
    """Stands for a function, records what eager calls of it return, and is else that function."""

    def __init__(self, function: Any, name: str, watch: Watch, owner: Any = None) -> None:
        self.__wrapped__ = function
        self._txl = (name, watch, owner)
        with contextlib.suppress(Exception):
            functools.update_wrapper(self, function)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function; record the result where there is one already."""
        if tf.executing_eagerly() and self._txl[1].is_open:
            return self._recorded(args, kwargs)
        if self._txl[1].is_open:
            name, watch, owner = self._txl
            watch.traced(name, Last(self.__wrapped__, list(args), kwargs, owner))
        # Plain, so that AutoGraph goes on into the function.
        return self.__wrapped__(*args, **kwargs)

    def _recorded(self, args: Any, kwargs: Any) -> Any:
        name, watch, owner = self._txl
        watch.hit(name, owner)
        watch.passed(name, (*args, *kwargs.values()))
        is_taped = not pywrap_tfe.TFE_Py_TapeSetIsEmpty()
        began = time.perf_counter()
        result = self.__wrapped__(*args, **kwargs)
        milliseconds = 1000 * (time.perf_counter() - began)
        last = Last(self.__wrapped__, list(args), kwargs, owner, is_taped)
        watch.called(name, milliseconds, last)
        watch.returned(name, result)
        return result

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        name, watch, _ = self._txl
        if instance is None:
            return _as_function(self) if name.endswith("__call__") else self
        return Boundary(self.__wrapped__.__get__(instance, owner), name, watch, instance)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__wrapped__, name)


def _as_function(watched: Boundary) -> Callable[..., Any]:
    """What a class gives as its `__call__`: AutoGraph calls objects by it, and converts functions only."""

    def call(*args: Any, **kwargs: Any) -> Any:
        return watched(*args, **kwargs)

    return call


@contextlib.contextmanager
def watching(
    side: Side,
    starts: Callable[[], Optional[Start]],
    namespace: Callable[[], Mapping[str, Any]],
) -> Iterator[Watch]:
    """Give marked code its functions while a side runs.

    `starts` is called when it first runs; `namespace` gives the globals of the side's file.
    """
    own = {"__main__"} | own_modules(side.overlay)
    looking = {
        name: Looking(Outside(told, own, side.renamed), lambda value: Recorder(own).record(value))
        for name, told in side.outside.items()
    }
    watch = Watch(own, starts, side.on_result, looking, namespace)
    plain = tf.autograph.experimental.do_not_convert
    marks = {
        "__txl_hit__": plain(watch.hit),
        "__txl_boundary__": watch.boundary,
        "__txl_turns__": plain(watch.clock.begin),
        "__txl_turn__": plain(watch.clock.turn),
        "__txl_made__": watch.clock.made,
    }
    with lent(marks):
        yield watch
