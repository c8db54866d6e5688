"""The words for what a recorded run measured."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tfxla_lint.recording import FunctionRecord, Retrace


def tracing(record: FunctionRecord) -> str:
    """ "traced 41 times in 50 calls: argument 1 took 41 shapes"."""
    times = "once" if record.traces == 1 else f"{record.traces} times"
    text = f"traced {times} in {counted(record.graph, 'call')}"
    why = cause(record)
    return f"{text}: {why}" if why else text


def cause(record: FunctionRecord) -> str:
    """Why a function was traced again, mostly: "argument `x` took 41 shapes"; or ""."""
    if not record.retraces:
        return ""
    first, *others = record.retraces
    texts = [_why(record, first)]
    more = [o for o in others if o.times * 2 >= first.times and o.argument != first.argument]
    texts += [_why(record, other) for other in more[:1]]
    return ", ".join(text for text in texts if text)


def _why(record: FunctionRecord, why: Retrace) -> str:
    if why.because == "new function":
        return f"{counted(record.tf_functions, 'tf.function object')} of it were made"
    argument = record.argument(why.argument or "")
    if why.argument is None or argument is None:
        return ""
    name = f"argument `{why.argument}`"
    if why.because == "shape" and argument.shape_count > 1:
        return f"{name} took {argument.shape_count} shapes"
    if why.because == "value" and argument.value_count > 1:
        return f"{name} took {argument.value_count} values"
    if why.because == "object" and argument.object_count > 1:
        return f"{name} was {argument.object_count} different objects"
    if why.because == "dtype" and len(argument.dtypes) > 1:
        return f"{name} took the types {', '.join(sorted(argument.dtypes))}"
    if why.because == "presence":
        return f"{name} was not always passed"
    return f"{name} differed"


def counted(number: int, noun: str) -> str:
    """ "1 call", "50 calls"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def duration(seconds: float) -> str:
    """A duration with two digits and its unit: "1.2 s", "41 ms", "0.5 us"."""
    value, unit = seconds, "s"
    for smaller in ("ms", "us"):
        if value < 1.0:
            value, unit = value * 1000.0, smaller
    return f"{value:.0f} {unit}" if value >= 10.0 else f"{value:.1f} {unit}"
