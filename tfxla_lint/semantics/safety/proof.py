"""What is proved of code that is to be traced: that its trace does what it does now.

`verdict` lists what keeps code from being traced, and lets pass what nobody knows. Here the burden
of proof is the other way round: a condition holds only where the code shows that it does, and what
is not known is a gap.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.dict_keys import keys_sort
from tfxla_lint.semantics.safety import elsewhere
from tfxla_lint.semantics.safety.conditions import Condition, Gap
from tfxla_lint.semantics.safety.prover import Prover
from tfxla_lint.semantics.safety.results import given_back, gives_tensors, is_tensor
from tfxla_lint.semantics.syntax import bound_names, walk
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import NO_CONSTANT, Kind, Value, leaves

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers


def unit_gaps(model: Answers, unit: Unit) -> list[Gap]:
    """What is missing to a proof that a function does the same as a `tf.function`."""
    prover = Prover(model)
    prover.callers(unit)
    prover.unit(unit)
    if not gives_tensors(model, unit):
        prover.miss(Condition.RESULTS, unit.node, f"`{unit.name}` may return no tensor")
    returned = [n.value for n in walk(unit.node) if isinstance(n, cst.Return) and n.value]
    prover.crosses(returned)
    found = prover.found(returned)
    given = {parameter.name for parameter in unit.parameters} - bound_names(unit.body)
    for statement in walk(unit.node):
        if isinstance(statement, cst.Return) and statement.value is not None:
            for name in given_back(statement.value, given):
                prover.miss(Condition.RESULTS, name, f"`{name.value}` is given back as it is")
    return found


def region_gaps(
    model: Answers,
    statements: Sequence[cst.CSTNode],
    given: dict[str, Value],
    results: Iterable[cst.BaseExpression],
) -> list[Gap]:
    """What is missing to a proof that statements do the same in a `tf.function` of their own.

    `given` are the values that it is passed, `results` reads of the names that it gives back.
    """
    prover = Prover(model)
    for name, value in given.items():
        if not is_tensor(value):
            prover.miss(Condition.ARGUMENTS, statements[0], f"`{name}` may be no tensor")
    prover.caught(statements[0])
    results = list(results)
    given_back = {read.value for read in results if isinstance(read, cst.Name)}
    prover.code(statements, bound_names(statements) | set(given), given_back)
    names = (node for root in statements for node in walk(root) if isinstance(node, cst.Name))
    reads = [
        name for name in names if name.value in given and model.binder.scope(name).is_read(name)
    ]
    prover.crosses([*results, *reads])
    for entering in {read.value: read for read in reads[::-1]}.values():
        prover.passed(entering)
    for read in results:
        result = model.value(read)
        if not (all(map(is_tensor, leaves(result))) and keys_sort(result)):
            prover.miss(Condition.RESULTS, read, f"`{model.code(read)}` may be no tensor")
    return prover.found(results, frozenset(given))


def call_gaps(model: Answers, calls: Sequence[cst.Call]) -> list[Gap]:
    """What is missing to a proof that calls of one model do the same through a `tf.function`.

    Keras' own models make of an array, whatever its dtype, the tensor that they make of the tensor
    which a `tf.function` makes of it.
    """
    prover = Prover(model)
    is_one = len({_settings(model, call) for call in calls}) == 1
    returned: list[cst.BaseExpression] = []
    for call in calls:
        for argument in call.args:
            value = model.value(argument.value)
            is_cast = value.kind is Kind.NDARRAY and not model.calls.at(call)
            if not (is_tensor(value) or value.has_constant or is_cast):
                words = f"`{model.code(argument.value)}` may be no tensor"
                prover.miss(Condition.ARGUMENTS, argument, words)
            if not value.has_constant:
                prover.passed(argument.value, is_model=True)
        prover.crosses([call, *(argument.value for argument in call.args)])
        prover.caught(call)
        prover.code([call.func], set(), ())
        prover.run(call)
        for edge in model.calls.at(call):
            prover.unit(edge.callee)
            chosen = next(_chosen(edge.callee), None) if not is_one else None
            if chosen is not None:
                prover.miss(Condition.OBJECTS, chosen, "may be built in a second trace")
            returned += filter(None, model.flow.returns(edge.callee))
            if not gives_tensors(model, edge.callee):
                words = f"`{edge.callee.name}` may return no tensor"
                prover.miss(Condition.RESULTS, edge.callee.node, words)
    for node, words in model.ask(elsewhere.changed_layers):
        prover.miss(Condition.STATE, node, words)
    return prover.found(returned)


def _settings(model: Answers, call: cst.Call) -> frozenset[tuple[str, str]]:
    """The constants that a call passes, of which each has a trace of its own."""
    return frozenset(
        (argument.keyword.value if argument.keyword is not None else str(position), repr(constant))
        for position, argument in enumerate(call.args)
        if (constant := model.value(argument.value).constant) is not NO_CONSTANT
    )


def _chosen(unit: Unit) -> Iterator[cst.Call]:
    """The calls that a function only makes on some paths."""
    for node in walk(unit.node):
        if isinstance(node, (cst.If, cst.IfExp)):
            yield from (inner for inner in walk(node) if isinstance(inner, cst.Call))
