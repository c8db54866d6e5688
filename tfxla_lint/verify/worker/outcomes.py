"""What the calls of a function on one side gave, and where two sides' calls differ."""

from __future__ import annotations

import re
from typing import Any, Dict, List, Mapping, Optional, Sequence, Set, Tuple

import numpy as np

from tfxla_lint.sandbox.inside.entropy import Reads
from tfxla_lint.sandbox.inside.nodes import Node
from tfxla_lint.verify.worker.comparing import (
    ARGUMENTS,
    ARRAYS,
    GRADIENTS,
    PRINTS,
    RESULTS,
    STATE,
    Comparison,
    Difference,
    describe,
    magnitude,
    variables_only,
)
from tfxla_lint.verify.worker.evidence import changed, telling_lines
from tfxla_lint.verify.worker.left import Left, left_differences
from tfxla_lint.verify.worker.settling import frozen_clocks
from tfxla_lint.verify.worker.sides import Failure, are_alike, said
from tfxla_lint.verify.worker.texts import output_differences

#: How TensorFlow words that it takes nothing of a type.
_OF_TYPE = re.compile("should be a|must be a|Received|Expected")
#: How it says that an operation takes no array of a dtype.
_OF_DTYPE = re.compile(
    r"not in (?:the )?list of allowed values|expected to be a \w+ tensor|requested dtype"
)
#: How it says that a whole number is no place in something, or no size.
_OF_PLACE = re.compile(r"out of (?:range|bounds)|is not in \[0|negative")
_OF_SIZE = re.compile(
    r"shape|dimension|rank|vector of size|must be >= 0|incompatible|broadcast", re.I
)


class Outcome:
    """What one side's calls gave."""

    def __init__(self) -> None:
        self.start: Node = ("branch", "module", [])
        self.results: List[Node] = []
        #: What the last call returned.
        self.last: Any = None
        self.arguments: List[Node] = []
        #: By call: what it is passed, in words, where that is told.
        self.passed: List[str] = []
        self.is_told = True
        self.states: List[Node] = []
        self.errors: List[Optional[Failure]] = []
        #: Whether its code says of something that it has no gradient.
        self.stops_gradients = False
        #: Whether it makes Python numbers of tensors, through which no gradient goes.
        self.cuts_gradients = False
        self.gradients: Optional[List[Tuple[str, Optional[Node]]]] = None
        #: By call: whether something else could stand where other code may change it.
        self.varied: Dict[int, bool] = {}
        #: By call: the places outside at which another method put another object before it.
        self.moved: Dict[int, List[str]] = {}
        #: Whether Keras traces the function itself, where it is not called directly.
        self.is_keras_step = False
        #: Whether a number and a tensor of it are the same as a result.
        self.is_loose = False
        #: Whether a program showed which kinds of arguments it is passed.
        self.is_used = False
        self.output = ("", "")
        #: How often the clocks were read; an original that is run eagerly has no say in that.
        self.clocks: Dict[str, Reads] = {}
        #: The lines of marked statements that were come to.
        self.ran: Set[int] = set()
        self.left = Left()
        #: From this call on there are no values in what is passed; 0 where there always are.
        self.bare_from = 0
        self.milliseconds: Optional[float] = None
        #: Of so many calls that is the median.
        self.timed = 0
        self.first_milliseconds: Optional[float] = None
        #: The most memory that the first call took.
        self.megabytes: Optional[float] = None
        self.traces: Optional[int] = None


def differences(before: Outcome, after: Outcome, comparison: Comparison) -> List[Difference]:
    """Where two sides' calls differ, up to the first call that does unless the comparison goes on."""
    found = frozen_clocks(before.clocks, after.clocks)
    comparison.made = [row.node for row in after.left.held]
    found += comparison.compare("before the calls: ", before.start, after.start, strict=False)
    for number, (a, b) in enumerate(zip(before.errors, after.errors)):
        where = f"call {number + 1}"
        if a is None and b is not None and b.kind == "ZeroDivisionError":
            if not _is_finite(before.results[number]):
                # The original divides by zero, too; a tensor does not say so.
                continue
        if (a or b) and not (a and b and are_alike(a, b)):
            texts = [said(e) if e is not None else "no exception" for e in (a, b)]
            difference = Difference("exception", where, texts[0], texts[1])
            difference.is_refusal = a is None and b is not None and is_refusal(b, before.is_used)
            difference.is_foreign = a is None and b is not None and not b.is_raised_here
            difference.is_of_kind = a is None and b is not None and _is_of_kind(b)
            return [*found, difference]
        if a is not None:
            # How far a failing call comes before it fails is nobody's business, but for variables.
            if a.is_raised_here and b is not None and b.is_raised_here:
                x, y = (variables_only(side.states[number]) for side in (before, after))
                found += comparison.compare(f"{where}, which is refused: ", x, y, False)
            return found
        found += call_differences(before, after, number, comparison)
        if found and not comparison.goes_on:
            return found
    if not any(before.errors):
        found += left_differences(comparison, before.left, after.left, {})
    found += comparison.updates(before.start, before.states[-1], after.states[-1])
    found += _gradient_differences(before, after, comparison)
    printed = output_differences(before.output, after.output)
    comparison.count(PRINTS, len(telling_lines(before.output[0])))
    return [*found, *(Difference("output", *line) for line in printed)]


def is_refusal(error: Failure, is_used: bool) -> bool:
    """Whether a version takes no such argument: of that shape, or, where others than a program passes
    were found, of that kind."""
    return _is_of_size(error) or (is_used and not error.is_raised_here)


def _is_of_kind(error: Failure) -> bool:
    """Whether code may only not take an argument of this kind, such as a list for an array, or dtype."""
    is_of_dtype = not error.is_raised_here and bool(_OF_DTYPE.search(error.message))
    return error.kind in ("TypeError", "AttributeError") or is_of_dtype


def _is_finite(node: Node) -> bool:
    if node[0] == "branch":
        return all(_is_finite(part) for _, part in node[2])
    if node[0] not in ARRAYS and node[1] != "float":
        return True
    value = np.asarray(node[2])
    return value.dtype.kind not in "fc" or bool(np.isfinite(value).all())


def unasked_refusals(
    plans: Sequence[Mapping[str, Any]], before: Outcome, after: Outcome
) -> Dict[int, Failure]:
    """What only the rewritten version raises in calls of other sizes than the first ones, or no rows, or
    with a number below one that the original has no lines for, or other whole numbers than before, which are
    no places in what is passed beside them.

    What may be left out is given in several shapes of which any may be meant: it need not take all.
    """
    found: Dict[int, Failure] = {}
    both = [after.errors[n] is None is before.errors[n] for n in range(len(plans))]
    taken = {name for n, plan in enumerate(plans) if both[n] for name in plan.get("given", ())}
    for number, plan in enumerate(plans):
        a, b = before.errors[number], after.errors[number]
        if a is not None or b is None:
            continue
        # A trace that was made wider knows no size; sizes that do not fit are told.
        is_relaxed = plan.get("is_longer") and ("None" in b.message or "unknown" in b.message)
        given = set(plan.get("given", ()))
        is_of_others = plan.get("is_empty") or (given and given <= taken)
        is_of_places = plan.get("is_numbered") and bool(_OF_PLACE.search(b.message))
        is_few = (plan.get("is_few") or is_of_places) and not b.is_raised_here
        if plan.get("is_wide") or is_few or is_relaxed or (is_of_others and _is_of_size(b)):
            found[number] = b
    return found


def refusal_differences(before: Outcome, after: Outcome) -> List[Difference]:
    """Where two sides differ in a call that the original refuses in its own words."""
    a, b = before.errors[0], after.errors[0]
    if a is None:
        return []
    if b is not None and are_alike(a, b):
        left, right = (variables_only(side.states[0]) for side in (before, after))
        return Comparison().compare("a call that is refused: ", left, right, False)
    given = said(b) if b is not None else "no exception"
    return [Difference("exception", "a call that is refused", said(a), given)]


def is_varied(before: Outcome, after: Outcome, number: int) -> bool:
    """Whether something else stood outside in a call of both sides, which both survived."""
    errors = (before.errors[number], after.errors[number])
    return before.varied[number] and after.varied[number] and errors == (None, None)


def moved_of_both(before: Outcome, after: Outcome) -> Set[str]:
    """The places outside that another method changed on both sides before a call that both survived."""
    found: Set[str] = set()
    for number, paths in before.moved.items():
        if before.errors[number] is after.errors[number] is None:
            found |= set(paths) & set(after.moved.get(number, ()))
    return found


def call_differences(
    before: Outcome, after: Outcome, number: int, comparison: Comparison
) -> List[Difference]:
    """Where the results of one call differ, its arguments, and the state after it."""
    where = f"call {number + 1}"
    pairs = (
        # What a step returns to Keras, or to a program that ran, may be a tensor or a number.
        (RESULTS, "result", before.results, after.results, not before.is_loose),
        (ARGUMENTS, "arguments", before.arguments, after.arguments, False),
        (STATE, "", before.states, after.states, False),
    )
    found: List[Difference] = []
    last = before.states[number - 1] if number else before.start
    comparison.grown(f"{where}: ", last, is_first=not number)
    if number:
        comparison.grown(f"{where}: arguments", before.arguments[number - 1])
    for kind, name, left, right, strict in pairs:
        path = f"{where}: {name}"
        comparison.given = magnitude(before.arguments[number]) if kind == RESULTS else 0.0
        found += comparison.compare(path, left[number], right[number], strict, kind=kind)
    return found


def is_whole(side: Outcome, number: int) -> bool:
    """Whether a call fails since a whole number cannot be NaN."""
    error = side.errors[number]
    return error is not None and "cannot convert float NaN to integer" in error.message


def _is_of_size(error: Failure) -> bool:
    """Whether an error says that code does not take a shape, a size or a type."""
    if error.kind in ("ValueError", "InvalidArgumentError"):
        return bool(_OF_SIZE.search(error.message))
    is_of_type = error.kind == "TypeError" and bool(_OF_TYPE.search(error.message))
    return is_of_type or error.kind == "OutOfRangeError"


def are_equal(a: Outcome, b: Outcome) -> bool:
    """Whether two sides' calls gave the same to the last bit."""
    pairs = [*zip(a.results, b.results), *zip(a.arguments, b.arguments), *zip(a.states, b.states)]
    pairs += [
        (x, y)
        for (_, x), (_, y) in zip(a.gradients or (), b.gradients or ())
        if x is not None and y is not None
    ]
    if a.output != b.output or not a.left.is_same(b.left):
        return False
    return not any(any(changed(x, y)) for x, y in pairs)


def _gradient_differences(
    before: Outcome, after: Outcome, comparison: Comparison
) -> List[Difference]:
    """Gradients that the original has; one that only the rewritten has is no loss.

    It is a difference where the original says that there is to be none.
    """
    if before.gradients is None or (after.gradients is None and any(after.errors)):
        return []
    found: List[Difference] = []
    right = dict(after.gradients or [])
    for name, node in before.gradients:
        other = right.get(name)
        if node is None:
            if before.stops_gradients and other is not None and np.any(np.asarray(other[2])):
                found.append(Difference("gradient", name, "no gradient", describe(other)))
            continue
        if other is None and not np.any(np.asarray(node[2])):
            continue
        if other is None:
            found.append(Difference("gradient", name, describe(node), "no gradient"))
        elif not before.cuts_gradients:
            found += comparison.compare(name, node, other, False, scale=1.0, kind=GRADIENTS)
    return found
