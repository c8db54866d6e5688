"""What is at stake in a finding: rules say what they speak of, and are told what it costs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.findings import Range, Repeated, Spent, Stake
from tfxla_lint.knowledge import prices
from tfxla_lint.semantics.cost.amounts import Amount, exactly
from tfxla_lint.semantics.cost.at_stake import (
    AtStake,
    Dear,
    Eager,
    Elements,
    Graph,
    Recorded,
    Retraced,
    Rows,
)
from tfxla_lint.semantics.cost.beside import beside
from tfxla_lint.semantics.cost.counting import Counting
from tfxla_lint.semantics.cost.runs import (
    ELSE,
    THROUGH_DATA,
    expected,
    is_exact,
    repeating,
    turns_exactly,
)
from tfxla_lint.semantics.cost.tally import NO_WORK, Tally, in_graph
from tfxla_lint.semantics.excerpt import excerpt
from tfxla_lint.semantics.measured import function
from tfxla_lint.semantics.repetition import most_runs
from tfxla_lint.semantics.steps import AllSteps
from tfxla_lint.semantics.values import Kind

if TYPE_CHECKING:
    from tfxla_lint.recording import FunctionRecord, LoopRecord
    from tfxla_lint.semantics.answers import Answers
    from tfxla_lint.semantics.loops import Turning
    from tfxla_lint.semantics.model import SemanticModel


#: How much dearer a call is in a program than in the tight loop in which its price was measured: the
#: first of what was fitted to programs, as docs/costs.md tells.
IN_PLACE = Amount(1.0, 1.45, 2.4)
#: The same of a call that does much.
_CALL = Amount(0.7, 1.0, 1.4)
#: What a kernel takes at a size that is known; small ones do less in a microsecond than large ones.
_KERNEL = Amount(0.5, 1.0, 2.5)
#: So many tensors a step is given, each of which the call of a graph has to look at.
_GIVEN = Amount(0.0, 1.0, 4.0)
#: A factor that may be so many times another one has no likeliest value.
_WIDEST = 6.0
_MICRO = 1e-6


def estimate(model: SemanticModel, at: AtStake) -> Stake | None:
    """What is at stake; None where nothing can be said."""
    if isinstance(at, Eager):
        return _of_eager(model, at)
    if isinstance(at, Dear):
        return _of_call(model, at)
    if isinstance(at, Retraced):
        return _of_traces(model, at)
    if isinstance(at, Rows):
        return _of_rows(model, at)
    if isinstance(at, Recorded):
        return _of_recording(model, at)
    return _of_elements(model, at) if isinstance(at, Elements) else _of_graph(model, at)


def _of_eager(model: SemanticModel, at: Eager) -> Stake | None:
    tally = _own(model, at)
    if tally.eager.likely <= 0 or _is_distributed(model, at):
        return None
    record = _record(model, at.node)
    eager, is_measured = tally.eager * IN_PLACE, False
    seconds = _range(eager, tally.is_open)
    times = most_runs(model, at.place)
    around = repeating(model, at.place)
    turn = around[-1] if around else None
    graphs = tally if turn is at.node else _in_turn(model, turn, tally)
    if record is not None:
        times, median = record
        # Kernels and graphs are part of what was measured, of which the rest is dispatched.
        if tally.is_unsized:
            rest = median / _MICRO - eager.likely - tally.kernels.likely
            graphs = Tally(traced=exactly(max(rest, 0.0)))
        else:
            known = tally.kernels.likely + tally.traced.likely
            eager = exactly(max(median / _MICRO - known, 1.0))
        seconds, is_measured = Range(median, median, median), True
    factor = _quicker(eager, tally, graphs, beside(model, turn))
    likely = _MICRO * eager.likely
    return _stake(model, Spent.DISPATCH, at.place, seconds, likely, times, factor, is_measured)


def _own(model: SemanticModel, at: Eager) -> Tally:
    """What code asks but for hot loops in it that are steps, of which other findings speak."""
    counting = model.ask(Counting)
    inside, seen = {id(node) for node in at.code}, set[int]()
    tally = counting.of(at.code, into_loops=False)
    for loop in model.ask(AllSteps).recurrences(model.unit(at.place)):
        around = {id(loop), *map(id, model.ancestors(loop))}
        if around & inside and not around & seen:
            seen.add(id(loop))
            tally += counting.of([loop])
    return tally


def _in_turn(model: SemanticModel, turn: Turning | None, own: Tally) -> Tally:
    """What some code asks that knows all graphs which run on a turn: its `own`, if it knows no more."""
    if not isinstance(turn, (cst.For, cst.While)):
        return own
    tally = model.ask(Counting).of_turn(turn)
    return max(own, tally, key=lambda each: (each.is_unsized, each.traced.likely))


def _is_distributed(model: SemanticModel, at: Eager) -> bool:
    """Whether a distribution strategy runs the code, or is run by it: of those nothing is known."""
    calls = [edge.node for edge in model.calls.handed(model.unit(at.place))]
    calls += [node for node in model.works.run(at.code) if isinstance(node, cst.Call)]
    receivers = (model.value(c.func).receiver for c in calls if isinstance(c, cst.Call))
    return any(held is not None and held.kind is Kind.STRATEGY for held in receivers)


def _of_call(model: SemanticModel, at: Dear) -> Stake:
    dear = _CALL * prices.figure("calls", at.kind)
    factor: Range | None = None
    cheap = _instead(model, at)
    if cheap is not None:
        around = repeating(model, at.call)
        graphs = _in_turn(model, around[-1] if around else None, NO_WORK)
        inputs = [dear, cheap, beside(model, None), _running(graphs)]

        def formula(before: float, after: float, more: float, runs: float) -> float:
            return (before + more + runs) / (after + more + runs)

        factor = _ranged(formula, inputs, is_most=graphs.is_unsized)
    times = most_runs(model, at.call)
    likely = _MICRO * dear.likely
    return _stake(model, Spent.CALLS, at.call, _range(dear), likely, times, factor)


def _instead(model: SemanticModel, at: Dear) -> Amount | None:
    """What the cheaper call takes, None where there is none."""
    if at.instead:
        return _CALL * prices.figure("calls", at.instead) if at.instead != "nothing" else None
    if not isinstance(at.call, cst.Call) or not isinstance(at.call.func, cst.Attribute):
        return None
    tally = model.ask(Counting).of_model(at.call.func.value, None)
    return tally.eager * IN_PLACE + tally.kernels


def _of_traces(model: SemanticModel, at: Retraced) -> Stake | None:
    if at.unit is None:
        return None
    record = function(model, at.unit)
    if record is not None and record.tracing_seconds.count:
        median = record.tracing_seconds.median
        seconds = Range(median, median, median)
        return _stake(model, Spent.TRACES, at.place, seconds, median, record.traces, None, True)
    tally = model.ask(Counting).of_unit(at.unit)
    each = prices.figure("traces", "trace_node")
    took = exactly(prices.figure("traces", "trace")) + tally.nodes * each
    if at.is_compiled:
        each = prices.figure("traces", "compile_node")
        took += exactly(prices.figure("traces", "compile")) + tally.nodes * each
    count = most_runs(model, at.place) if at.is_each_time else at.count
    took *= _CALL
    seconds, likely = _range(took, tally.is_open), _MICRO * took.likely
    return _stake(model, Spent.TRACES, at.place, seconds, likely, count, None)


def _of_rows(model: SemanticModel, at: Rows) -> Stake | None:
    counting = model.ask(Counting)
    tally = counting.of(at.code, taped=at.is_backward or None)
    eager = tally.eager
    if at.is_backward:
        forward = counting.of(at.code, taped=False).eager
        eager = eager.without(forward)
    if eager.likely <= 0:
        return None
    eager *= IN_PLACE
    factor: Range | None = None
    if at.count is not None and not at.is_backward:
        count, kernels = float(at.count), tally.kernels * _KERNEL
        # What finds the operations on all rows by itself traces them, on each call from eager code.
        trace = prices.figure("traces", "trace")
        trace += tally.nodes.likely * prices.figure("traces", "trace_node")
        inputs = [eager, kernels, Amount(0.0, trace / 4, trace * 1.5)]
        found = _ranged(lambda e, k, t: count * (e + k) / (e + count * k + t), inputs)
        factor = Range(found.low, found.likely, min(found.high or count, count))
    runs = most_runs(model, at.place)
    times = at.count * runs if at.count is not None and runs is not None else None
    likely = _MICRO * eager.likely
    seconds, each = _range(eager, tally.is_open), at.count or ELSE
    return _stake(model, Spent.ROWS, at.place, seconds, likely, times, factor, each=each)


def _of_recording(model: SemanticModel, at: Recorded) -> Stake | None:
    if not model.contexts.is_only_eager(model.unit(at.place)):
        return None
    tally = model.ask(Counting).of(at.code, taped=False)
    share = prices.figure("calls", "recording_share")
    recorded = (exactly(prices.figure("calls", "tape_opened")) + tally.eager * share) * IN_PLACE
    eager, kernels = tally.eager * IN_PLACE, tally.kernels * _KERNEL
    factor = _ranged(lambda r, e, k: (r + e + k) / (e + k + 1.0), [recorded, eager, kernels])
    times, likely = most_runs(model, at.place), _MICRO * recorded.likely
    seconds = _range(recorded, tally.is_open)
    return _stake(model, Spent.CALLS, at.place, seconds, likely, times, factor)


def _of_elements(model: SemanticModel, at: Elements) -> Stake | None:
    took = _CALL * prices.figure("calls", at.kind)
    is_open = False
    if at.unit is not None:
        tally = model.ask(Counting).of_unit(at.unit)
        took += tally.in_graph + (tally.kernels + tally.traced) * _KERNEL
        is_open = tally.is_open or tally.is_unsized
    runs = most_runs(model, at.place)
    times = at.count * runs if at.count is not None and runs is not None else None
    seconds, each = _range(took, is_open), at.count or THROUGH_DATA
    likely = _MICRO * took.likely
    return _stake(model, Spent.ELEMENTS, at.place, seconds, likely, times, None, each=each)


def _of_graph(model: SemanticModel, at: Graph) -> Stake | None:
    tally = model.ask(Counting).of_unit(at.unit)
    if tally.is_open or tally.is_unsized or not tally.nodes.likely:
        return None
    kernels = (tally.kernels + tally.traced) * _KERNEL
    left = Amount(*prices.compiled_shares())
    nodes = tally.in_graph
    inputs = [_call(), nodes, left, kernels]
    factor = _ranged(lambda call, n, x, k: (call + n + k) / (call + n * x + k), inputs)
    likely, times = _MICRO * nodes.likely, most_runs(model, at.place)
    return _stake(model, Spent.GRAPHS, at.place, _range(nodes), likely, times, factor)


# Factors


def _quicker(eager: Amount, tally: Tally, graphs: Tally, more: Amount) -> Range:
    """How many times quicker a turn is in a graph, with `more` beside it, and the `graphs` that run
    already."""

    def factor(e: float, graph: float, call: float, k: float, more: float) -> float:
        return (e + k + more) / (call + graph + tally.graph.likely + k + more)

    kernels = tally.kernels * _KERNEL + _running(graphs)
    if tally.is_open:
        # What is not known is on both sides: the graph grows with what is dispatched.
        known = in_graph(exactly(tally.nodes.likely), exactly(tally.plain.likely))
        each = known * (1.0 / max(eager.likely, 1.0))
        return _ranged(
            lambda e, each, call, k, more: factor(e, e * each, call, k, more),
            [eager, each, _call(), kernels, more],
            is_most=graphs.is_unsized,
        )
    inputs = [eager, tally.in_graph, _call(), kernels, more]
    return _ranged(factor, inputs, is_most=graphs.is_unsized)


def _running(graphs: Tally) -> Amount:
    """What graphs take that run already: the least, where that may be anything above."""
    least = exactly(graphs.traced.low)
    return (least if graphs.is_unsized else graphs.traced) * _KERNEL


def _call() -> Amount:
    """What the call of a graph takes, with what it is given."""
    given = _GIVEN * prices.figure("calls", "function_argument")
    return (exactly(prices.figure("calls", "function")) + given) * IN_PLACE


def _ranged(
    formula: Callable[..., float], amounts: Sequence[Amount], *, is_most: bool = False
) -> Range:
    """What a formula gives of amounts, each of which may be off by itself; with `is_most` only the
    upper end is known."""
    likely = [amount.likely for amount in amounts]
    middle = math.log(max(formula(*likely), 1e-9))
    below = above = 0.0
    for place, amount in enumerate(amounts):
        for other in (amount.low, amount.high):
            given = [*likely[:place], other, *likely[place + 1 :]]
            off = math.log(max(formula(*given), 1e-9)) - middle
            below, above = below + min(off, 0) ** 2, above + max(off, 0) ** 2
    low, high = math.exp(middle - math.sqrt(below)), math.exp(middle + math.sqrt(above))
    if is_most:
        return Range(1.0, None, max(high, 1.0))
    return Range(max(low, 1.0), math.exp(middle) if high <= low * _WIDEST else None, max(high, 1.0))


def _range(micros: Amount, is_open: bool = False) -> Range:
    low, likely, high = (_MICRO * each for each in (micros.low, micros.likely, micros.high))
    return Range(low, None if is_open else likely, None if is_open else high)


# Turns


def _record(model: SemanticModel, node: Turning | None) -> tuple[int, float] | None:
    """How often a loop or function ran in a recorded run, and the seconds of one time."""
    if node is None or isinstance(node, cst.BaseComp) or model.recording is None:
        return None
    if isinstance(node, (cst.For, cst.While)):
        loop: LoopRecord | None = model.world.measured(node)
        if loop is None or not loop.seconds.count:
            return None
        return loop.turns, loop.seconds.median
    unit = model.world.evaluator.units.of(node)
    found: FunctionRecord | None = function(model, unit)
    if found is None or not found.eager_seconds.count:
        return None
    return found.eager, found.eager_seconds.median


def _stake(
    model: SemanticModel,
    spent: Spent,
    place: cst.CSTNode,
    seconds: Range,
    likely: float,
    times: int | None,
    factor: Range | None,
    is_measured: bool = False,
    each: int = 1,
) -> Stake:
    around = repeating(model, place)
    runs = expected(model, place, around) * each if times is None else times
    if times is None and spent is Spent.TRACES:
        runs = min(runs, ELSE)
    kept = 0.0
    if factor is not None:
        kept = 1.0 / (factor.likely or math.sqrt(factor.low * (factor.high or factor.low)))
    weight = likely * (1.0 - kept) * runs
    within = tuple(_repeated(model, loop) for loop in around)
    is_most = times is not None and not is_measured and not is_exact(model, place, around)
    return Stake(spent, seconds, times, factor, weight, is_measured, is_most, within)


def _repeated(model: SemanticModel, loop: Turning) -> Repeated:
    node = loop.name if isinstance(loop, cst.FunctionDef) else loop
    info = model.loops.info(loop)
    record = model.world.measured(loop) if isinstance(loop, (cst.For, cst.While)) else None
    turns = record.turns if record is not None else info.turns or info.most
    span, source = model.span(node), (model.world.home(loop) or model.home).source
    is_most = turns is not None and record is None and not turns_exactly(model, loop)
    text = source.line_text(span.line).strip()
    traced = model.ask(_traced_in, loop)
    return Repeated(span, text, turns, model.path(node), is_most, traced)


def _traced_in(model: Answers, loop: Turning) -> tuple[str, ...]:
    """The traced functions that the turns of a loop call themselves, each once."""
    if not isinstance(loop, (cst.For, cst.While)):
        return ()
    calls = model.works.of([loop.body], into_loops=False).traced_calls
    return tuple(dict.fromkeys(excerpt(model, call.func) for call in calls))
