"""The command `explain`: what the model knows of each function, and which rule decided."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tfxla_lint.cli.console import Messages, emit, style_for
from tfxla_lint.cli.options import HELP, SectionCommand, colour_option, form_option
from tfxla_lint.reporters.style import Style
from tfxla_lint.reporters.text import file_of, harmless_line, place_of, visible
from tfxla_lint.settings.errors import SettingsError
from tfxla_lint.settings.resolver import absolute

if TYPE_CHECKING:
    import libcst as cst

    from tfxla_lint.explanation import Explanation
    from tfxla_lint.findings import Finding
    from tfxla_lint.linter import Linter
    from tfxla_lint.semantics.model import SemanticModel
    from tfxla_lint.semantics.values import Value

#: What the code outside of all functions is called.
MODULE = "<module>"


@click.command(
    cls=SectionCommand,
    context_settings=HELP,
    short_help="Explain how functions and loops run.",
    examples=(
        ("tfxla-lint explain train.py", "all functions and loops of a file"),
        ("tfxla-lint explain train.py:Trainer.step", "one method"),
    ),
)
@click.argument("target", metavar="FILE[:FUNCTION]")
@form_option("json gives a list with one object per function.")
@colour_option
def explain(target: str, form: str, colour: str) -> int:
    """Explain how each function of a file runs, and whether it should be a tf.function.

    So are the loops of the module itself, which FILE:<module> asks for. FUNCTION is a qualified
    name: train_step, Trainer.step, outer.inner. The status is 2 where the file can't be parsed or
    has no such function.
    """
    path, name = _split(target)
    try:
        opened = _opened(path)
    except SettingsError as error:
        Messages().error(str(error))
        return 2
    if opened is None:
        return 2
    model, linter = opened
    from tfxla_lint.explanation import as_json
    from tfxla_lint.explanation import explain as explain_all

    found = explain_all(model)
    if name is not None:
        found = [item for item in found if item.unit.qualname == name]
        if not found:
            Messages().error(f"{path}: there is no function '{name}'")
            return 2
    if form == "json":
        from tfxla_lint.reporters.json_format import dump

        emit(dump([as_json(model, item) for item in found]))
    else:
        style = style_for(sys.stdout, colour)
        findings = linter.lint(model.source, absolute(path)).findings
        texts = (_as_text(model, item, findings, style) for item in found)
        emit("\n".join("\n".join([head, *map(harmless_line, rest), ""]) for head, *rest in texts))
    return 0


def _split(target: str) -> tuple[Path, str | None]:
    """The file and the function's name; a colon may be part of the path."""
    head, colon, name = target.rpartition(":")
    is_name = name == MODULE or name.replace(".", "").replace("_", "").isalnum()
    if colon and is_name and not os.path.exists(target):
        return Path(head), name
    return Path(target), None


def _opened(path: Path) -> tuple[SemanticModel, Linter] | None:
    from tfxla_lint.explanation import looked_at
    from tfxla_lint.linter import syntax_error
    from tfxla_lint.notebooks.reading import read_source
    from tfxla_lint.source import SourceError

    try:
        source = read_source(path)
    except OSError as error:
        Messages().error(f"{path}: cannot read it: {error.strerror or error}")
        return None
    except SourceError as error:
        Messages().error(f"{path}:{error.line}:{error.column}: {error.message}")
        return None
    broken = syntax_error(source)
    if broken is not None:
        Messages().error(f"{place_of(str(path), broken.span)}: {broken.message}")
        return None
    try:
        return looked_at(source, absolute(path))
    except SourceError as error:
        Messages().error(f"{path}: {error.message}")
        return None


def _as_text(
    model: SemanticModel, item: Explanation, findings: Sequence[Finding], style: Style
) -> Iterator[str]:
    from tfxla_lint.explanation import head

    name = item.unit.qualname if item.loop is None else f"{item.unit.qualname} loop"
    yield f"{style.bold(visible(name))} ({visible(_place(model, head(item)))})"
    if item.loop is not None:
        yield f"  over: {model.loops.info(item.loop).over}"
    yield f"  traced: {item.traced}{_because(model, item)}"
    yield f"  compiled by XLA: {item.xla}"
    yield f"  hot: {item.hot}"
    for loop in item.loops:
        info = model.loops.info(loop)
        turns = f", {info.turns} turns" if info.turns is not None else ""
        yield f"    {_place(model, loop)}: a loop over {info.over}{turns}"
    yield f"  tensor work: {item.tensor_work} TensorFlow calls"
    for parameter in item.unit.parameters[item.unit.is_method :]:
        yield f"    parameter {parameter.name}: {_kind(parameter.value)}"
    yield f"  worthwhile: {item.worthwhile}"
    for rule, node in _decided(model, item, findings):
        yield f"  reported as {rule}, {_place(model, node)}"
    what = "can be decorated" if item.loop is None else "its body can be a tf.function"
    yield f"  {what}: {item.decoratable}"
    for blocker in item.blockers:
        yield f"    {_place(model, blocker.node)}: {blocker.reason.value}: it {blocker.message}"


def _kind(value: Value) -> str:
    """What is known of a parameter: its kind, with dtype and shape where they are known."""
    if not value.is_known:
        return "unknown"
    shape = value.shape
    sizes = "" if shape is None else f"[{', '.join(_size(size) for size in shape)}]"
    return " ".join(part for part in (value.kind.value, value.dtype or "", sizes) if part)


def _size(size: object) -> str:
    return "..." if size is Ellipsis else "?" if size is None else str(size)


def _decided(
    model: SemanticModel, item: Explanation, findings: Sequence[Finding]
) -> Iterator[tuple[str, cst.CSTNode]]:
    """The rules that report the function itself or a loop of it, and what they report."""
    import libcst as cst

    from tfxla_lint.explanation import head

    every = (*model.nodes(cst.For), *model.nodes(cst.While)) if item.loop is None else ()
    nodes = [head(item), *(loop for loop in every if model.unit(loop) is item.unit)]
    for finding in findings:
        for node in nodes:
            if model.span(node).start == finding.span.start:
                yield f"{finding.code} {finding.name}", node


def _because(model: SemanticModel, item: Explanation) -> str:
    if item.traced_route is not None:
        return f" ({item.traced_route.reason}, {_place(model, item.traced_route.root)})"
    route = item.eager_route
    if item.loop is not None:
        return " (it stands in the module itself)"
    if route is None:
        return " (no caller is known)" if item.traced == "unknown" else ""
    if not route.calls:
        return f" (runs eagerly: {route.reason}, {_place(model, route.root)})"
    return f" (called eagerly through {', '.join(_place(model, c) for c in route.calls)})"


def _place(model: SemanticModel, node: cst.CSTNode) -> str:
    """Where a node stands; with its file where that is another one."""
    path = model.path(node)
    span = model.span(node)
    if path is not None:
        return f"{file_of(path, span.cell)}:{span.shown_line}"
    cell = f"cell {span.cell.index}, " if span.cell is not None else ""
    return f"{cell}line {span.shown_line}"
