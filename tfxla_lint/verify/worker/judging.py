"""Where two runs of a program differ, under the tolerances of a job."""

from __future__ import annotations

from typing import Any, List, Mapping, Optional, Sequence, Set, Tuple

from tfxla_lint.sandbox.inside.nodes import MISSING, Node
from tfxla_lint.verify.worker.comparing import (
    ARRAYS,
    GRADIENTS,
    PRINTS,
    RESULTS,
    TRAINED,
    Comparison,
    Difference,
    variables_only,
)
from tfxla_lint.verify.worker.evidence import telling_lines
from tfxla_lint.verify.worker.further import NAN, NO_ROWS, TIES
from tfxla_lint.verify.worker.left import left_differences
from tfxla_lint.verify.worker.replays import (
    AGAIN,
    APART,
    GRADIENTS_OF_IT,
    REFUSED,
    RESULT,
    Replay,
    Varied,
    paired,
)
from tfxla_lint.verify.worker.settling import Found, frozen_clocks
from tfxla_lint.verify.worker.sides import Snapshot, are_alike, said
from tfxla_lint.verify.worker.states import differences as held_differences
from tfxla_lint.verify.worker.texts import output_differences
from tfxla_lint.verify.worker.variations import EMPTY, HANGING, INFINITE, LEAST, ONE_ROW, OTHERWISE

#: So many differences of one call are shown.
_SHOWN = 3


#: Where methods are called of objects that are in no state to be.
_UNUSUAL = "calls that the program does not make"


def text_of(snapshot: Snapshot) -> str:
    """How a run ended, in words."""
    return "no exception" if snapshot.error is None else said(snapshot.error)


class Judge:
    """Compares snapshots under the job's tolerances."""

    def __init__(
        self, job: Mapping[str, Any], takes_all: bool = False, goes_on: bool = False
    ) -> None:
        self.job = job
        self._gone: Set[str] = set(job.get("gone", ()))
        self._renamed: Mapping[str, str] = job.get("renamed", {})
        self._remade: Set[str] = set(job.get("remade", ()))
        self._stages: Set[str] = set(job.get("stages", ()))
        self._settings: Mapping[str, List[Any]] = job.get("settings", {})
        self._xla = bool(job.get("xla"))
        self._is_correcting = bool(job.get("correcting"))
        self._alone: Set[str] = set(job.get("alone", ()))
        self._adapted: Set[str] = set(job.get("adapted", ()))
        self._templates: Mapping[str, str] = job.get("templates", {})
        outside = job.get("outside", {}).values()
        self._settable = {n for told in outside for n in told.get("settable", ())}
        self._is_silent = "pytest" in job.get("argv", ())
        #: Whether the original leaves it open in which order equal values come.
        self._has_open_ties = bool(job.get("open_ties"))
        self._asks_nan = bool(job.get("asks_nan"))
        #: How many rows the functions are passed at least, as the original's docstrings say.
        self._least: Mapping[str, int] = job.get("least", {})
        #: Arguments with which calls differ in what shows nothing.
        self.odd: Set[str] = set()
        #: Whether all counts that is not equal, and of each call all that differs.
        self._takes_all = takes_all
        self._shown = None if takes_all or goes_on else _SHOWN
        self.comparison = self._comparison()

    def _comparison(self) -> Comparison:
        return Comparison(
            self._xla,
            TRAINED if not self._takes_all else 0.0,
            self._gone,
            renamed=self._renamed,
            stages=self._stages,
            settings=self._settings,
            remade=self._remade,
        )

    def differences(self, before: Snapshot, after: Snapshot) -> Found:
        """Where two snapshots differ."""
        errors = (before.error, after.error)
        if any(errors) and not (errors[0] and errors[1] and are_alike(errors[0], errors[1])):
            return [Difference("exception", "exception", text_of(before), text_of(after))]
        self.comparison = self._comparison()
        self.comparison.made = [row.node for row in after.left.held]
        found = [] if self._is_correcting else frozen_clocks(before.clocks, after.clocks)
        found += self.calls(before, after)
        found += self.replays(before, after)
        found += self.varied(before, after)
        found += self.comparison.compare("", before.state, after.state, strict=False)
        found += left_differences(self.comparison, before.left, after.left, self._templates)
        if before.start is not None and before.error is None and not self._is_correcting:
            start = before.start.state
            found += self.comparison.updates(start, before.state, after.state)
        if not self._is_silent:
            printed = output_differences(before.output, after.output)
            self.comparison.count(PRINTS, len(telling_lines(before.output[0])))
            found += [Difference("output", *line) for line in printed]
        return found

    def replays(
        self,
        before: Snapshot,
        after: Snapshot,
        shaken: Optional[Mapping[str, List[Replay]]] = None,
    ) -> Found:
        """Results of calls after the program, up to the first that the original does not survive.

        Those that are `shaken` take the place of the second run's.
        """
        found: Found = []
        for name, replays in before.replays.items():
            others = (after.replays if shaken is None else shaken).get(name, [])
            if self._are_given_others(replays, others):
                # Their callers changed with them.
                continue
            if replays and others and self._leave_alike(replays[0], others[0]):
                self._alone.add(name)
            differs_far = is_over = False
            for a, b in paired(replays, others):
                path = a.said(name)
                is_apart = a.words in (*APART, INFINITE)
                if is_over and not is_apart:
                    continue
                if a.raised and a.raised == b.raised and name in self._alone:
                    found += self._left(path, a, b)
                if is_apart and (a.result in (None, REFUSED) or b.result is REFUSED):
                    continue
                if (
                    a.words in (LEAST, HANGING, OTHERWISE, EMPTY)
                    and b.result is None
                    and not b.raised
                ):
                    # Other arguments may say that there are more.
                    continue
                if a.words == b.words and a.moved != b.moved:
                    # What one version keeps in variables the other may keep elsewhere.
                    continue
                if a.words == b.words == INFINITE:
                    differs_far = differs_far or self._differs(name, path, a, b)
                    continue
                is_refused = a.result is REFUSED or b.result is REFUSED
                if is_refused or a.result is None or a.words != b.words:
                    # From here on the two have gone through different calls.
                    is_over = True
                    continue
                if a.words == b.words == GRADIENTS_OF_IT:
                    # One that TensorFlow has in eager code only is no value.
                    own = self._of_both(path, a.result, b.result)
                elif b.result is None:
                    own = [Difference("exception", path, "no exception", "an exception")]
                else:
                    own = self._given(name, path, a.result, b.result) + self._held(name, a, b)
                if own and b.eagerly is not None:
                    # TensorFlow itself does other things in graphs where there are no values.
                    own = own if self._given(name, path, a.result, b.eagerly) else []
                if own and b.result is None and _is_spread(a, replays[0]):
                    self.odd.add(a.words)
                    own = []
                if own and self._is_too_small(name, a):
                    self.odd.add(a.words)
                    continue
                if own and b.result is None and self._remade and "." in name:
                    # An object that makes a thing when it is first needed has none before.
                    self.odd.add(_UNUSUAL)
                    own = []
                is_odd = own and self._is_odd(a, b, own, differs_far)
                if is_odd or (own and b.result is None and _has_no_form(a, replays[0])):
                    self.odd.add(a.words)
                    own = []
                for difference in own[: self._shown]:
                    difference.is_bare = a.is_bare
                    difference.is_of_nan = a.words == NAN and not self._asks_nan
                    found.append(difference)
                is_over = is_over or b.result is None
        return found

    def _leave_alike(self, a: Replay, b: Replay) -> bool:
        """Whether the call as the program made it leaves the same: no other code took work from it."""
        if a.words != AGAIN or b.words != AGAIN or a.result is None or b.result is None:
            return False
        comparison = self._comparison()
        found = comparison.compare("", a.result, b.result, False)
        return not found and not held_differences(comparison, list(a.held), list(b.held))

    def _is_too_small(self, name: str, a: Replay) -> bool:
        """Whether the original's docstring says of more rows, and no lines of it are for so few."""
        rows = {NO_ROWS: 0, ONE_ROW: 1}.get(a.words)
        return rows is not None and rows < self._least.get(name, 0) and not a.has_own_lines

    def _is_odd(self, a: Replay, b: Replay, own: Found, differs_far: bool) -> bool:
        """Whether a difference shows nothing: nobody passes such arguments, or both may be right.

        Of which dtype a tensor of an empty list is, no value hangs on: calls with rows tell dtypes.
        """
        if a.words == NAN:
            return not (self._asks_nan or differs_far)
        if a.words in (NO_ROWS, EMPTY):
            is_of_dtype = all(difference.kind == "dtype" for difference in own)
            # Of nothing there may be any mean, but no elements.
            is_more = a.words == EMPTY and any(difference.kind == "structure" for difference in own)
            is_asked = a.has_own_lines or is_more
            return b.result is not None and (is_of_dtype or not is_asked)
        return a.words in (TIES, "zeros") and self._has_open_ties

    def _differs(self, name: str, path: str, a: Replay, b: Replay) -> bool:
        if a.result is None or b.result is None:
            return a.result is not b.result
        return bool(self._given(name, path, a.result, b.result))

    def _are_given_others(self, replays: Sequence[Replay], others: Sequence[Replay]) -> bool:
        """Whether the programs passed other values in the calls that are made again."""
        a, b = (next((r.given for r in rows), None) for rows in (replays, others))
        if a is None or b is None:
            return False
        if self._takes_all:
            # What the program made of a nudge is no matter.
            a, b = (dict(node[2])[RESULT] for node in (a, b))
        return bool(Comparison(self._xla, TRAINED).compare("", a, b, strict=False))

    def _left(self, path: str, a: Replay, b: Replay) -> Found:
        """Where the variables of objects differ after calls that both versions refuse."""
        left, right = (variables_only(row.left or MISSING) for row in (a, b))
        return self.comparison.compare(f"{path}, which is refused", left, right, False)[
            : self._shown
        ]

    def varied(self, before: Snapshot, after: Snapshot) -> Found:
        """Results of calls with something else outside that both sides survive."""
        found: Found = []
        for name, rows in before.varied.items():
            others = self.varied_alike(name, before, after)
            for key, a in rows.items():
                b = others.get(key)
                if b is not None and a.result is not None and b.result is not None:
                    own = self._given(name, a.said(name), a.result, b.result)[: self._shown]
                    for difference in own:
                        difference.is_settable = key[0].rpartition(".")[2] in self._settable
                    found += own
        return found

    def varied_alike(self, name: str, before: Snapshot, after: Snapshot) -> Varied:
        """The calls of the rewritten version with something else outside.

        They show nothing where it passed other values than the original, of other sizes maybe.
        """
        replays = (side.replays.get(name, []) for side in (before, after))
        theirs = after.varied.get(name, {})
        if self._are_given_others(*replays):
            return {key: row._replace(result=None) for key, row in theirs.items()}
        return theirs

    def again(self, name: str, a: Replay, b: Replay) -> Found:
        """Where calls of a function differ in what they give and do to variables."""
        if a.words != b.words or a.result is None or b.result is None:
            return [Difference("exception", a.said(name), "", "")]
        return self._returned(name, a.said(name), a.result, b.result) + self._held(name, a, b)

    def _given(self, name: str, path: str, a: Node, b: Node) -> Found:
        """Where calls differ in what they return and leave.

        What they leave counts where no other code that changed may have taken it over.
        """
        if name not in self._alone:
            return self._returned(name, path, a, b)
        return self.comparison.compare(path, a, b, False, kind=RESULTS)

    def _returned(self, name: str, path: str, a: Node, b: Node) -> Found:
        left, right = (dict(node[2])[RESULT] for node in (a, b))
        found = self.comparison.compare(path, left, right, False, kind=RESULTS)
        return [] if self.is_otherwise(name, found) else found

    def _held(self, name: str, a: Replay, b: Replay) -> Found:
        if name not in self._alone:
            return []
        found = held_differences(self.comparison, list(a.held), list(b.held))
        for difference in found:
            difference.path = f"{difference.path} when called again"
        return found

    def _of_both(self, path: str, a: Optional[Node], b: Optional[Node]) -> Found:
        """Where the parts differ that both have."""
        if a is None or b is None:
            return []
        left, right = (dict(dict(node[2])[""][2]) for node in (a, b))
        pairs = [(label, x, right[label]) for label, x in left.items() if label in right]
        found = self.comparison.compare
        return [
            difference
            for label, x, y in pairs
            for difference in found(path + label, x, y, False, scale=1.0, kind=GRADIENTS)
        ]

    def calls(self, before: Snapshot, after: Snapshot) -> Found:
        """Results of the calls of marked functions, where both sides called them as often."""
        found: Found = []
        for name, left in before.calls.items():
            if before.hits.get(name) == after.hits.get(name):
                own: Found = []
                for number, (a, b) in enumerate(zip(left, after.calls.get(name, []))):
                    own += self.result(name, number + 1, a, b)
                found += [] if self.is_otherwise(name, own) else own
        return found

    def is_otherwise(self, name: str, own: Found) -> bool:
        """Whether a function returns something of another kind to callers that changed with it."""
        return name in self._adapted and any(d.kind in ("type", "structure") for d in own)

    def result(self, name: str, number: int, a: Node, b: Node) -> Found:
        """Where the results of one call of a marked function differ."""
        path = f"{name}()#{number}"
        return self.comparison.compare(path, a, b, strict=False, kind=RESULTS)[: self._shown]


def _has_no_form(row: Replay, usual: Replay) -> bool:
    """Whether what the original gives for no rows lacks dimensions: an empty list became an array of nothing.

    `usual` is what two calls give as the program makes them.
    """
    if row.words != NO_ROWS or usual.words != AGAIN or row.result is None or usual.result is None:
        return False
    (_, first), *_ = dict(usual.result[2])[RESULT][2]
    pairs = (_dimensions(dict(row.result[2])[RESULT]), _dimensions(first))
    return len(pairs[0]) == len(pairs[1]) and any(a < b for a, b in zip(*pairs))


def _is_spread(row: Replay, usual: Replay) -> bool:
    """Whether the original spreads one row over as many as there usually are: others are not meant.

    `usual` is what two calls give as the program makes them.
    """
    if row.words != ONE_ROW or usual.words != AGAIN or row.result is None or usual.result is None:
        return False
    (_, first), *_ = dict(usual.result[2])[RESULT][2]
    shapes = [_shapes(node) for node in (dict(row.result[2])[RESULT], first)]
    rows = (
        {shape[0] for shape in _shapes(usual.given) if shape} if usual.given is not None else set()
    )
    return shapes[0] == shapes[1] and any(rows & {*shape} - {1} for shape in shapes[0])


def _shapes(node: Node) -> List[Tuple[int, ...]]:
    """The shapes of the arrays in a node."""
    if node[0] == "branch":
        return [shape for _, part in node[2] for shape in _shapes(part)]
    return [tuple(node[2].shape)] if node[0] in ARRAYS else []


def _dimensions(node: Node) -> List[int]:
    """How many dimensions the arrays in a node have."""
    if node[0] == "branch":
        return [count for _, part in node[2] for count in _dimensions(part)]
    return [node[2].ndim] if node[0] in ARRAYS else []
