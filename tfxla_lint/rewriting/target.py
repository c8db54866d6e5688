"""New code names nothing that the targeted TensorFlow lacks."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.edits import InsertArgument, NodeEdit, Replace, Rewrite
from tfxla_lint.knowledge.renamed import lacks
from tfxla_lint.rewriting.layout import RewriteRefused
from tfxla_lint.rewriting.spelling import new_nodes
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.syntax import dotted, walk

_ROOT = "tensorflow."


def check_target(model: SemanticModel, rewrite: Rewrite) -> None:
    """Raise RewriteRefused where a rewrite writes a name or an argument that the target lacks.

    What the module writes already is no matter of the rewrite.
    """
    target = model.oldest_target
    if target is None:
        return
    for edit in rewrite.edits:
        for text, name, argument in _written(model, edit):
            if name.startswith(_ROOT) and text not in model.source.text:
                if lacks(name, target, argument):
                    raise RewriteRefused(f"TensorFlow {target[0]}.{target[1]} has no `{text}`")


def _written(model: SemanticModel, edit: NodeEdit) -> Iterator[tuple[str, str, str]]:
    """Names and arguments of the new code: the text, the full name, the argument or nothing."""
    if isinstance(edit, InsertArgument):
        function = model.names.one(edit.call.func) or ""
        yield edit.text, function, edit.text.partition("=")[0].strip()
    elif isinstance(edit, Replace) and isinstance(edit.node, cst.Name):
        yield from _keyword(model, edit.node, edit.new)
    for root in new_nodes(edit):
        for node in walk(root):
            if isinstance(node, (cst.Name, cst.Attribute)):
                yield dotted(node) or "", _full_name(model, node), ""
            elif isinstance(node, cst.Call):
                name = _full_name(model, node.func)
                for given in node.args:
                    if given.keyword is not None:
                        yield f"{given.keyword.value}=", name, given.keyword.value


def _keyword(
    model: SemanticModel, old: cst.Name, new: cst.CSTNode | str
) -> Iterator[tuple[str, str, str]]:
    """The name that an argument gets in the place of `old`."""
    argument = model.parent(old)
    if isinstance(argument, cst.Arg) and argument.keyword is old and isinstance(new, str):
        call = model.parent(argument)
        if isinstance(call, cst.Call):
            yield new, model.names.one(call.func) or "", new


def _full_name(model: SemanticModel, node: cst.BaseExpression) -> str:
    """What a name in new code stands for, as the module binds its first part."""
    local, dot, rest = (dotted(node) or "").partition(".")
    found = model.names.lookup(local, model.binder.module_scope) if local else frozenset()
    return f"{next(iter(found))}{dot}{rest}" if len(found) == 1 else ""
