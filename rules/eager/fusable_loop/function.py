"""The function that runs several steps, in a loop on tensors.

The step is called in one place only: each place where a trace calls it draws its own random numbers,
and two would draw the same ones. What its own trace says tells the dtypes and shapes of what it
gives.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import libcst as cst

from tfxla_lint.edits import Statement, is_statement
from tfxla_lint.rewriting.naming import taken_attributes, unused
from tfxla_lint.rewriting.placement import Place
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.syntax import walk

from .detect import Form, Fusable


@dataclass
class Fused:
    """The function: its name and code, the parameters that are `stacked` by the text of what they
    stack, the texts that are `passed` as they are, and what one step gives is called.

    `tf` has the names of TensorFlow as the module spells them.
    """

    name: str
    node: Statement
    stacked: dict[str, str]
    passed: list[str]
    result: str
    tf: Mapping[str, str]


def fused_function(
    model: SemanticModel, found: Fusable, place: Place, tf: Mapping[str, str], taken: set[str]
) -> Fused:
    """The function for the steps of a loop; the names that it adds to the module are `taken`."""
    owner = found.unit.class_ if place.is_method else None
    used = set(taken_attributes(model, owner)) if owner is not None else taken
    name = new_name(_several(found.step.name.rstrip("_")), used)
    within = {n.value for n in walk(found.call) if isinstance(n, cst.Name)}
    arguments = _Arguments(model, found, tf, taken, within)
    names = list(found.names or ())
    within.update(names)
    result = names[0] if names else new_name("result", taken)
    if found.counts == 1:
        names = [result]
    stacked, passed = arguments.stacked, arguments.passed
    count, turn = new_name("count", within), new_name("turn", within)
    number = arguments.number if stacked else count
    bind = f"{', '.join(names)} = " if names else ""
    step = model.code(found.call.func)
    lines = []
    inner = [f"{bind}{step}({arguments.of(turn)})"]
    kept = "all" if found.is_each_needed else "last"
    arrays = {name: new_name(f"{kept}_{name}", within) for name in names}
    specs = [new_name(f"{name}_spec", within) for name in names]
    if names:
        traced = f"{step}.get_concrete_function({arguments.of('0')})"
        lines.append(f"{', '.join(specs)} = {traced}.structured_outputs")
    size, at = (number, turn) if found.is_each_needed else ("1", "0")
    for (one, many), spec in zip(arrays.items(), specs, strict=True):
        made = f"{tf['TensorArray']}({spec}.dtype, {size}, element_shape={spec}.shape)"
        lines.append(f"{many} = {made}")
        inner.append(f"{many} = {many}.write({at}, {one})")
    end = "stack()" if found.is_each_needed else "read(0)"
    index = turn if stacked or found.is_each_needed else "_"
    returned = [f"{many}.{end}" for many in arrays.values()]
    if found.stop is not None:
        done = new_name("done", within)
        lines.append(f"{done} = 0")
        inner += [f"{done} += 1", f"if {found.stop.asked(tf)}:", "    break"]
        returned = [done, *returned]
        if found.is_each_needed:
            returned = [f"{many}.gather({tf['range']}({done}))" for many in arrays.values()]
    lines.append(f"for {index} in {tf['range']}({number}):")
    lines += [f"    {line}" for line in inner]
    lines += [f"return {', '.join(returned)}"] if names else []
    parameters = [*(["self"] if place.is_method else []), *stacked.values()]
    parameters += [*([] if stacked else [count]), *passed.values(), *place.extra_parameters]
    body = "".join(f"    {line}\n" for line in lines)
    text = f"@{tf['function']}\ndef {name}({', '.join(parameters)}):\n{body}"
    node = cst.parse_statement(text, config=model.module.config_for_parsing)
    assert is_statement(node)
    return Fused(name, node, stacked, [*passed, *place.extra_parameters], result, tf)


class _Arguments:
    """What the function takes, and what it gives the step."""

    def __init__(
        self,
        model: SemanticModel,
        found: Fusable,
        tf: Mapping[str, str],
        taken: set[str],
        within: set[str],
    ) -> None:
        self._tf = tf
        self._nested: set[str] = set()
        self.stacked: dict[str, str] = {}
        self.passed: dict[str, str] = {}
        self._texts: list[tuple[str, str]] = []
        self._found = found
        for index, each in enumerate(found.given):
            text = model.code(each.node.with_changes(lpar=(), rpar=())).strip()
            keyword = each.argument.keyword
            base = self._base(index)
            if each.varies and text not in self.stacked:
                known = taken if found.form is Form.BATCHED else within
                self.stacked[text] = new_name(f"all_{base}", known)
                self._nested |= {text} if each.nested else set()
            elif each.is_passed and text not in self.passed:
                self.passed[text] = new_name(base, within - {base} if base == text else within)
            self._texts.append((f"{keyword.value}=" if keyword is not None else "", text))

    def of(self, turn: str) -> str:
        """The arguments of the step of one turn, as source text."""
        given = []
        for keyword, text in self._texts:
            if text in self._nested:
                taken = f"lambda part: part[{turn}], {self.stacked[text]}"
                text = f"{self._tf['nest.map_structure']}({taken})"
            elif text in self.stacked:
                text = f"{self.stacked[text]}[{turn}]"
            given.append(keyword + self.passed.get(text, text))
        return ", ".join(given)

    @property
    def number(self) -> str:
        """How many steps there are: as many as members of what is stacked."""
        text, many = next(iter(self.stacked.items()))
        if text in self._nested:
            return f"len({self._tf['nest.flatten']}({many})[0])"
        return f"len({many})"

    def _base(self, index: int) -> str:
        """A name for an argument: its own, or that of the parameter that it goes to."""
        node, step = self._found.given[index].node, self._found.step
        if isinstance(node, (cst.Name, cst.Attribute)):
            return node.attr.value if isinstance(node, cst.Attribute) else node.value
        own = [p.name for p in step.parameters][1 if step.is_method else 0 :]
        return own[index] if index < len(own) else "argument"


def new_name(base: str, taken: set[str]) -> str:
    """A name that is not taken yet; it is then."""
    name = unused(base, taken)
    taken.add(name)
    return name


def _several(name: str) -> str:
    """The plural of a function's name."""
    if name.endswith("s"):
        return f"many_{name}"
    if name.endswith("y") and name[-2:-1] not in ("", *"aeiou_"):
        return f"{name[:-1]}ies"
    return f"{name}es" if name.endswith(("ch", "sh", "x")) and len(name) > 2 else f"{name}s"
