"""Several steps in one call: the new function, and the loop that calls it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import libcst as cst

from tfxla_lint.edits import (
    InsertBefore,
    NodeEdit,
    Replace,
    ReplaceStatements,
    Rewrite,
    Statement,
    is_statement,
)
from tfxla_lint.findings import Applicability
from tfxla_lint.rewriting.layout import without_blanks
from tfxla_lint.rewriting.naming import taken_names
from tfxla_lint.rewriting.placement import Place, find_place
from tfxla_lint.rewriting.spelling import tensorflow_name
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.safety.draws import other_draws
from tfxla_lint.semantics.statements import statement_of
from tfxla_lint.semantics.steps import StepLoop
from tfxla_lint.semantics.syntax import bound_names, target_names, walk

from ..shared.bound_in import is_bound_in
from .detect import Form, Fusable, data_of, member_in, members_of
from .function import Fused, fused_function, new_name
from .given import Given
from .order import reads_of
from .stop import Stop

#: So many steps are one call where nothing sets a rhythm: where only their number is passed, and where
#: the arguments of all of them are held at once.
_COUNTED_STEPS = 100
_MOST_AT_ONCE = 1000
_HELD_STEPS = 16
_MOST_HELD = 32
#: Fewer steps than these are not worth a call of their own.
_FEWEST = 4
_ASSUMPTION = "assumes that nothing looks at the variables that the steps change but this loop"


def fuse(model: SemanticModel, found: Fusable) -> Rewrite | None:
    """The rewrite that makes several steps of a loop one call; None where there is no place for it."""
    writer = _Writer.of(model, found)
    if writer is None or writer.most < _FEWEST or _is_made_anew(model, found):
        return None
    function, place = writer.function, writer.place
    edits = writer.edits()
    edits = _with_function(model, place.before, [function.node, *writer.before], edits)
    held = "" if found.form is Form.COUNTED else f", and that {writer.most} batches fit in memory"
    below = [node for unit in model.calls.below(found.step) for node in unit.body]
    held += other_draws(model, below) if held else ""
    return Rewrite(
        title=f"Run several steps in one call of `{function.name}`",
        edits=_together(edits),
        applicability=Applicability.UNSAFE,
        assumption=_ASSUMPTION + held,
        unit=found.unit.qualname,
        imports=[("itertools", "itertools")] if writer.needs_itertools else [],
    )


@dataclass
class _Writer:
    """Writes the loop anew."""

    model: SemanticModel
    found: Fusable
    function: Fused
    place: Place
    taken: set[str]
    needs_itertools: bool = False
    before: list[Statement] = field(default_factory=list)

    @classmethod
    def of(cls, model: SemanticModel, found: Fusable) -> _Writer | None:
        """The writer for a loop, if its function has a place and TensorFlow a name."""
        stop = found.stop
        used = ["function", "range", "TensorArray", "constant", "unstack", "stack"]
        used += sorted(stop.uses) if stop is not None else []
        if any(given.nested for given in found.given):
            used += ["nest.map_structure", "nest.flatten"]
        at = found.loop
        tf = {name: tensorflow_name(model, name, at) for name in used}
        spelled = {name: text for name, text in tf.items() if text is not None}
        if len(spelled) < len(used):
            return None
        work = model.works.of_body(found.loop)
        passed = [g.node for g in found.given if g.varies or g.is_passed]
        hidden = {id(n) for node in passed for n in walk(node)}
        step = StepLoop(found.loop, found.unit, work)
        moved = [found.call, *([stop.statement.test] if stop is not None else [])]
        hidden |= {id(n) for node in moved[1:] for n in walk(node) if _is_one_of(n, found.names)}
        place = find_place(model, step, moved, [], hidden)
        if place.blockers or place.metrics or place.casts:
            return None
        taken = set(taken_names(model))
        function = fused_function(model, found, place, spelled, taken)
        return cls(model, found, function, place, taken)

    @property
    def most(self) -> int:
        """How many steps are one call, at most."""
        rhythm = self.found.rhythm
        if self.found.form is Form.COUNTED:
            most = rhythm.period if rhythm is not None else _COUNTED_STEPS
            patience = self.found.patience
            return min(most, patience.most or most) if patience is not None else most
        if rhythm is None:
            return _HELD_STEPS
        fitting = (n for n in range(_MOST_HELD, 0, -1) if rhythm.period % n == 0)
        return next(fitting)

    def edits(self) -> list[NodeEdit]:
        """The edits of the loop."""
        if self.found.form is Form.COUNTED:
            return self._counted()
        new = self._batched() if self.found.form is Form.BATCHED else self._collected()
        loop = self.found.loop
        first, *rest = new
        first = first.with_changes(leading_lines=loop.leading_lines)
        return [ReplaceStatements(loop, loop, [first, *rest])]

    # The forms

    def _counted(self) -> list[NodeEdit]:
        found, model = self.found, self.model
        first = statement_of(model, found.loop)
        assert is_statement(first)
        count = self._call([self._tf("constant", self._ahead())])
        turns = self._plain_turns()
        if turns is not None:
            call = self._call([self._tf("constant", str(turns))])
            (line,) = self._parsed(f"{self._statement_with(call)}\n")
            line = line.with_changes(leading_lines=found.loop.leading_lines)
            return [ReplaceStatements(found.loop, found.loop, [line])]
        if not found.is_each_needed:
            left = self._new("left")
            if found.stop is not None:
                begin = InsertBefore(first, self._parsed(f"{left} = 0\n"))
                return [begin, *self._stopping(found.stop, left, count)]
            asked = self._call([self._tf("constant", left)])
            run = f"{left} = {self._ahead()}\n    {self._statement_with(asked)}"
            begin = InsertBefore(first, self._parsed(f"{left} = 0\n"))
            return [begin, self._counting_down(left, run)]
        ready = self._new("ready")
        refill = f"if not {ready}:\n    {ready} = {self._listed(count)}\n"
        return [
            InsertBefore(first, self._parsed(f"{ready} = []\n")),
            InsertBefore(found.statement, self._parsed(refill)),
            Replace(found.call, f"{ready}.pop(0)"),
        ]

    def _stopping(self, stop: Stop, left: str, call: str) -> list[NodeEdit]:
        """Only the last of the steps that a call ran may have given what ends the loop."""
        names = ", ".join([left, *(self.found.names or ())])
        run = f"{names} = {call}\n    {left} = int({left})"
        test = stop.statement.test
        text = self.model.code(test)
        text = f"({text})" if isinstance(test, cst.BooleanOperation) else text
        return [self._counting_down(left, run), Replace(test, f"not {left} and {text}")]

    def _counting_down(self, left: str, run: str) -> NodeEdit:
        """Runs several steps where none are `left`."""
        line = self.found.statement
        first, *rest = self._parsed(f"if not {left}:\n    {run}\n{left} -= 1\n")
        first = first.with_changes(leading_lines=line.leading_lines)
        return ReplaceStatements(line, line, [first, *rest])

    def _plain_turns(self) -> int | None:
        """The number of turns of a loop that does nothing but its steps, and leaves nothing else."""
        found, model = self.found, self.model
        turns = model.loops.info(found.loop).turns
        if turns is None or turns > _MOST_AT_ONCE or found.after or found.is_each_needed:
            return None
        alive = model.flow.liveness(found.unit.scope).after(found.loop)
        is_left = alive & set(target_names(found.loop.target)) or found.loop.orelse is not None
        return None if is_left else turns

    def _ahead(self) -> str:
        """How many steps follow up to the next turn that looks at what they did."""
        model, call, rhythm = self.model, self.found.loop.iter, self.found.rhythm
        assert isinstance(call, cst.Call)
        start, stop = call.args[:-1], call.args[-1].value
        turn = target_names(self.found.loop.target)[0]
        text = model.code(stop)
        left = (
            f"{text if isinstance(stop, (cst.Name, cst.Integer, cst.Attribute)) else f'({text})'}"
        )
        patience = self.found.patience
        end = f"{left} - {turn}" + (f", {patience.lacks}" if patience is not None else "")
        if rhythm is not None:
            first = model.value(start[0].value).constant if start else 0
            is_aligned = self.found.stop is None and patience is None
            if is_aligned and type(first) is int and (rhythm.rest + 1 - first) % rhythm.period == 0:
                return f"min({rhythm.text}, {end})"
            end = f"({rhythm.rest} - {turn}) % {rhythm.text} + 1, {end}"
        elif patience is None or patience.most != self.most:
            end = f"{self.most}, {end}"
        is_whole = patience is None or patience.most is not None
        return f"min({end})" if is_whole else f"int(min({end}))"

    def _batched(self) -> list[Statement]:
        found, model = self.found, self.model
        data = data_of(model, found.loop)
        assert data is not None
        text = model.code(data)
        text = text if isinstance(data, (cst.Name, cst.Attribute, cst.Call)) else f"({text})"
        over = f"{text}.batch({self.most})"
        if self._is_made_once(data):
            chunks = self._new("chunks")
            self.before = self._parsed(f"{chunks} = {over}\n")
            over = chunks
        members, arguments = self._members()
        target = ", ".join(members)
        if isinstance(members_of(found.loop), cst.Tuple) and len(members) == 1:
            target += ","
        call = self._call(arguments)
        read = reads_of(model, found.after) & set(self._counter())
        if not found.after and not found.is_each_needed:
            body = self._statement_with(call)
            return self._parsed(f"for {target} in {over}:\n    {body}\n")
        results = self._turns(call, self._counted_in(arguments[0]))
        name = self._result_target()
        if not read:
            head, inner = f"for {target} in {over}:", f"for {name} in {results}:"
        else:
            block, (counter,) = self._new("block"), read
            head = f"for {block}, {self._grouped(target)} in enumerate({over}):"
            start = f"{self.most} * {block}"
            inner = f"for {counter}, {self._grouped(name)} in enumerate({results}, {start}):"
        return self._nested(head, call, inner)

    def _members(self) -> tuple[list[str], list[str]]:
        """What the members of several batches are called, and what the function is given of them."""
        stacked, chunks = self.function.stacked, dict[str, str]()
        arguments = []
        for text, many in stacked.items():
            node = next(g.node for g in self._varying if self.model.code(g.node).strip() == text)
            member = member_in(node) or text
            if member not in chunks:
                chunks[member] = stacked.get(member) or self._new(f"all_{member}")
            arguments.append(chunks[member] + text[len(member) :] if member != text else many)
        names = target_names(members_of(self.found.loop))
        return [chunks.get(name, "_") for name in names], arguments

    def _is_made_once(self, data: cst.BaseExpression) -> bool:
        """Whether the data set is there before the outermost of the loops around, where the function
        is put: to batch it anew on each turn takes longer than many steps."""
        place, unit = self.place.before, self.found.unit
        loops = self.model.loops.around(self.found.loop, unit)
        if self.place.is_method or not loops or loops[0] is not place:
            return False
        return isinstance(data, cst.Name) and data.value not in bound_names([loops[0]])

    def _collected(self) -> list[Statement]:
        found, model = self.found, self.model
        self.needs_itertools = True
        chunk, batches, same = (self._new(n) for n in ("chunk", "arguments", "alike"))
        parts, part = self._new("parts"), self._new("part")
        target = model.code(found.loop.target)
        header = model.code(found.loop.iter)
        turns = model.loops.info(found.loop).turns
        is_whole = turns is not None and turns <= _MOST_HELD and self.found.first_turn is None
        arguments = [model.code(_bare(g.node)) for g in self._varying]
        pair = f"({', '.join(arguments)}{',' if len(arguments) == 1 else ''})"
        collect = self._loop(
            f"for {target} in {header if is_whole else chunk}:",
            [*found.before, *self._parsed(f"{batches}.append({pair})\n")],
        )
        stack, members = self.function.tf["stack"], parts
        stacked = f"map({stack}, zip(*{same}))"
        if any(given.nested for given in self._varying):
            each = f"lambda *{parts}: {stack}({parts})"
            stacked = self._tf("nest.map_structure", each, f"*{same}")
            members = self._tf("nest.flatten", parts)
        call = self._call([f"*{stacked}"])
        key = f"lambda {parts}: [{part}.shape for {part} in {members}]"
        groups = f"for _, {same} in itertools.groupby({batches}, {key}):"
        lines = [*self._parsed(f"{batches} = []\n"), collect]
        if not found.after and not found.is_each_needed:
            lines += self._parsed(f"{groups}\n    {self._statement_with(call)}\n")
        else:
            lines += self._followed(call, groups, header if is_whole else chunk, batches)
        if is_whole:
            return lines
        upcoming = self._new("turns")
        size, start = str(self.most), self._parsed(f"{upcoming} = iter({header})\n")
        ahead = self._ahead_of_rhythm()
        if ahead:
            size = self._new("size")
            start += self._parsed(f"{size} = {ahead}\n")
            lines += self._parsed(f"{size} = {self.most}\n")
        taken = f"while {chunk} := list(itertools.islice({upcoming}, {size})):"
        return [*start, self._loop(taken, lines)]

    def _ahead_of_rhythm(self) -> int:
        """How many turns come before those that end with one of the rhythm; 0 where none do."""
        rhythm, first = self.found.rhythm, self.found.first_turn
        return (rhythm.rest + 1 - first) % self.most if rhythm and first is not None else 0

    def _followed(self, call: str, groups: str, chunk: str, batches: str) -> list[Statement]:
        """The steps of several turns, and what follows each of them."""
        found, model = self.found, self.model
        read = reads_of(model, found.after) & set(target_names(found.loop.target))
        target = model.code(found.loop.target)
        if not found.is_each_needed:
            run = self._parsed(f"{groups}\n    {self._statement_with(call)}\n")
            head = f"for {target if read else '_'} in {chunk if read else batches}:"
            return [*run, self._loop(head, found.after)]
        results = self._new("results")
        run = self._parsed(f"{results} = []\n")
        run += self._parsed(f"{groups}\n    {results} += {self._listed(call)}\n")
        name = self._result_target()
        head = f"for {name} in {results}:"
        if read:
            pair = f"{self._grouped(target)}, {self._grouped(name)}"
            head = f"for {pair} in zip({chunk}, {results}):"
        return [*run, self._loop(head, self._replayed())]

    # Parts

    @property
    def _varying(self) -> list[Given]:
        return [g for g in self.found.given if g.varies]

    def _counter(self) -> list[str]:
        target = self.found.loop.target
        return target_names(target)[:1] if members_of(self.found.loop) is not target else []

    def _call(self, arguments: Sequence[str]) -> str:
        receiver = "self." if self.place.is_method else ""
        given = [*arguments, *self.function.passed]
        return f"{receiver}{self.function.name}({', '.join(given)})"

    def _tf(self, name: str, *arguments: str) -> str:
        return f"{self.function.tf[name]}({', '.join(arguments)})"

    def _listed(self, call: str) -> str:
        """What the steps give, as a list with an element for each of them."""
        if self.found.counts == 1:
            return self._tf("unstack", call)
        return f"list(zip(*map({self.function.tf['unstack']}, {call})))"

    def _counted_in(self, stacked: str) -> str:
        """How many steps there are, told by the first argument of their call."""
        if self._varying[0].nested:
            return f"len({self._tf('nest.flatten', stacked)}[0])"
        return f"len({stacked})"

    def _turns(self, call: str, number: str) -> str:
        """What goes once around for each step of a call."""
        if not self.found.is_each_needed:
            return f"range({number})"
        if self.found.counts == 1:
            return self._tf("unstack", call)
        return f"zip(*map({self.function.tf['unstack']}, {call}))"

    def _result_target(self) -> str:
        if not self.found.is_each_needed:
            return "_"
        names = self.found.names
        if names is None:
            return self.function.result
        return ", ".join(names)

    def _grouped(self, target: str) -> str:
        return f"({target})" if "," in target and not target.startswith("(") else target

    def _statement_with(self, call: str) -> str:
        """The statement that runs one step, with the call of several in its place."""
        names = self.found.names
        return f"{', '.join(names)} = {call}" if names else call

    def _replayed(self) -> list[Statement]:
        """What follows a step, what the step's own statement does beside it first."""
        found = self.found
        if found.names is not None:
            after = list(found.after)
            lines = without_blanks(found.statement.leading_lines)
            if after and lines:
                after[0] = after[0].with_changes(leading_lines=[*lines, *after[0].leading_lines])
            return after
        result = cst.Name(self.function.result)
        line = found.statement.deep_replace(found.call, result)
        assert is_statement(line)
        return [line, *found.after]

    def _nested(self, head: str, call: str, inner: str) -> list[Statement]:
        found = self.found
        lines: list[Statement] = []
        if not found.is_each_needed:
            lines += self._parsed(self._statement_with(call) + "\n")
        turns = self._loop(inner, self._replayed())
        lines.append(turns)
        if found.stop is not None:
            # What leaves the turns of one call leaves all of them.
            stub, leaving = self._parsed("for _ in _:\n    pass\nelse:\n    continue\nbreak\n")
            lines[-1] = turns.with_changes(orelse=cst.ensure_type(stub, cst.For).orelse)
            lines.append(leaving)
        return [self._loop(head, lines)]

    def _loop(self, head: str, body: Sequence[Statement]) -> Statement:
        stub = self._parsed(f"{head}\n    pass\n")[0]
        assert isinstance(stub, (cst.For, cst.While))
        first, *rest = body
        first = first.with_changes(leading_lines=without_blanks(first.leading_lines))
        return stub.with_changes(body=stub.body.with_changes(body=[first, *rest]))

    def _parsed(self, text: str) -> list[Statement]:
        parsed = cst.parse_module(text, config=self.model.module.config_for_parsing)
        return [statement for statement in parsed.body if is_statement(statement)]

    def _new(self, base: str) -> str:
        return new_name(base, self.taken)


def _is_made_anew(model: SemanticModel, found: Fusable) -> bool:
    """Whether a loop around the loop makes another step on its turns: one function would keep the first."""
    function = found.call.func
    around = model.loops.around(found.loop, model.unit(found.loop))
    return (
        isinstance(function, cst.Name) and bool(around) and is_bound_in(model, function, around[0])
    )


def _bare(node: cst.BaseExpression) -> cst.BaseExpression:
    """An expression without the parentheses that it can do without among others."""
    return node if isinstance(node, cst.Tuple) else node.with_changes(lpar=(), rpar=())


def _is_one_of(node: cst.CSTNode, names: Sequence[str] | None) -> bool:
    return isinstance(node, cst.Name) and node.value in (names or ())


def _with_function(
    model: SemanticModel, before: Statement, new: list[Statement], edits: list[NodeEdit]
) -> list[NodeEdit]:
    """The edits, and the function and what follows it before a statement, which one of them may
    replace."""
    function, *others = new
    for index, edit in enumerate(edits):
        if isinstance(edit, ReplaceStatements) and edit.first is before:
            holder = model.parent(before)
            is_first = getattr(holder, "body", [before])[0] is before
            blanks = [cst.EmptyLine(indent=False)] * (2 if isinstance(holder, cst.Module) else 1)
            first, *rest = edit.new
            comments = without_blanks(first.leading_lines)
            made = function.with_changes(leading_lines=[] if is_first else blanks)
            first = first.with_changes(leading_lines=[*blanks, *comments])
            edits[index] = ReplaceStatements(edit.first, edit.last, [made, *others, first, *rest])
            return edits
    return [InsertBefore(before, new), *edits]


def _together(edits: Sequence[NodeEdit]) -> list[NodeEdit]:
    """The edits, with all that goes before one statement put there at once."""
    made: dict[int, InsertBefore] = {}
    others: list[NodeEdit] = []
    for edit in edits:
        if not isinstance(edit, InsertBefore):
            others.append(edit)
            continue
        known = made.get(id(edit.statement))
        new = [*known.new, *edit.new] if known is not None else list(edit.new)
        made[id(edit.statement)] = InsertBefore(edit.statement, new)
    return [*made.values(), *others]
