"""What some code asks of TensorFlow when it is run once, added up."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tfxla_lint.knowledge import prices
from tfxla_lint.semantics.cost.amounts import NOTHING, Amount, exactly

#: The kinds whose nodes touch no variables and run no loops.
_PLAIN = ("ops", "gradients")
#: What a node of a graph takes; grappler has merged some, and others run loops.
#: Those of plain ops touch no variables and hold no locks.
_NODE, _PLAIN_NODE = Amount(0.6, 2.2, 4.5), Amount(0.2, 1.0, 3.0)


@dataclass(frozen=True, slots=True)
class Tally:
    """Sums over calls: `eager` is their dispatch from Python, `nodes` count what a graph of them
    has, `plain` those of them that are ops by themselves, `graph` is what it takes besides, `kernels` what
    is computed either way, and `traced` what graphs take that are called, whether or not what calls them
    becomes one (microseconds); `trained` are the layers and objects whose variables
    are used, each by its identity, with their number. One that `is_open` lacks what is not known: it may
    well be more. So may `traced` of one that `is_unsized`: it calls graphs of which something is not known.
    """

    eager: Amount = NOTHING
    nodes: Amount = NOTHING
    plain: Amount = NOTHING
    graph: Amount = NOTHING
    kernels: Amount = NOTHING
    traced: Amount = NOTHING
    trained: frozenset[tuple[int, Amount]] = frozenset()
    is_open: bool = False
    is_unsized: bool = False

    @property
    def variables(self) -> Amount:
        """How many variables can be trained."""
        total = NOTHING
        for _, count in self.trained:
            total += count
        return total

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.eager + other.eager,
            self.nodes + other.nodes,
            self.plain + other.plain,
            self.graph + other.graph,
            self.kernels + other.kernels,
            self.traced + other.traced,
            self.trained | other.trained,
            self.is_open or other.is_open,
            self.is_unsized or other.is_unsized,
        )

    def times(self, times: Amount, *, is_open: bool = False) -> Tally:
        """The same, so many times; variables are the same ones each time."""
        return Tally(
            self.eager * times,
            self.nodes * times,
            self.plain * times,
            self.graph * times,
            self.kernels * times,
            self.traced * times,
            self.trained,
            self.is_open or is_open,
            self.is_unsized,
        )

    @property
    def in_graph(self) -> Amount:
        """What the nodes take of a graph of it."""
        return in_graph(self.nodes, self.plain)

    def as_graph(self, eager: float) -> Tally:
        """What a call asks that takes `eager` of Python and runs a graph of this."""
        takes = self.in_graph + self.graph + self.kernels + self.traced
        is_unsized = self.is_open or self.is_unsized
        return Tally(exactly(eager), traced=takes, trained=self.trained, is_unsized=is_unsized)


NO_WORK = Tally()
#: What code asks besides of which nothing is known.
UNSEEN = Tally(kernels=Amount(0.0, 0.0, 20_000.0), is_open=True)


def one_of(graphs: Sequence[Tally]) -> Tally:
    """What the call asks of one of several graphs, nobody knows which."""
    traced = [graph.traced for graph in graphs]
    likely = statistics.median(each.likely for each in traced)
    span = Amount(min(t.low for t in traced), likely, max(t.high for t in traced))
    is_unsized = any(graph.is_unsized for graph in graphs)
    return replace(graphs[0], traced=span, is_unsized=is_unsized)


def in_graph(nodes: Amount, plain: Amount) -> Amount:
    """What the nodes of a graph take, of which some are plain."""
    return nodes.without(plain) * _NODE + plain * _PLAIN_NODE


def charged(
    part: str,
    name: str,
    *,
    taped: bool,
    steps: Amount = NOTHING,
    suffix: str = "",
    owner: object = None,
) -> Tally:
    """What one call of a kind asks; with its gradients where a tape records it.

    `steps` are those through time that a recurrent layer makes; `suffix` names the figures of one of
    several things that a call works on. `owner` is what has the variables.
    """
    known = prices.price(part, name)
    cheap, middling, dear = (known, known, known) if known is not None else prices.usual(part)

    def of(what: str) -> Amount:
        key = f"{what}_taped" if what != "eager" else "taped"
        rows = []
        for row in (cheap, middling, dear):
            plain = row.get(what + suffix, 0.0)
            rows.append(row.get(key + suffix, plain) if taped else plain)
        return Amount(*rows)

    count = exactly(middling.get("variables", 0.0))
    trained = frozenset({(id(owner), count)}) if owner is not None and count.likely else frozenset()
    nodes = of("nodes")
    tally = Tally(of("eager"), nodes, nodes if part in _PLAIN else NOTHING, trained=trained)
    if steps is NOTHING:
        return tally
    eager, graph = ("taped_step", "graph_taped_step") if taped else ("eager_step", "graph_step")
    more = Tally(exactly(middling.get(eager, 0.0)), graph=exactly(middling.get(graph, 0.0)))
    return tally + more.times(steps)
