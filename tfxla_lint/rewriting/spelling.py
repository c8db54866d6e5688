"""How a module spells TensorFlow's names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import libcst as cst

from tfxla_lint.edits import (
    Decorate,
    InsertAfter,
    InsertArgument,
    InsertBefore,
    NodeEdit,
    Replace,
    ReplaceDecorator,
    ReplaceStatements,
    Rewrite,
)
from tfxla_lint.knowledge.renamed import spelled_in
from tfxla_lint.rewriting.expressions import brought
from tfxla_lint.semantics.api import FIRST_API, TF
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.names import canonical
from tfxla_lint.semantics.scopes import Binding, BindingKind
from tfxla_lint.semantics.syntax import dotted, walk

#: What a module calls TensorFlow that gets an import of it.
_USUAL = "tf"


def tensorflow_name(model: SemanticModel, name: str, at: cst.CSTNode) -> str | None:
    """The module's own spelling of `tensorflow.<name>` in the scope of `at`, or None.

    `import tensorflow as tf` gives `tf.function`, `from tensorflow import function` gives
    `function`. A name that is shadowed at `at`, or that is not bound at module level above it, is not
    used. A first-party module that is imported by `*` may bring the name.
    So does `import tensorflow.compat.v1 as tf`, which has the same function.
    What the target calls otherwise is spelt as there.
    A module that has but parts of TensorFlow (`from tensorflow.keras import layers`) spells it as
    `tf.function`, and `with_imports` adds what that needs.
    """
    full = spelled_in(f"tensorflow.{name}", model.oldest_target)
    scope = model.binder.scope(at)
    best: str | None = None
    for local, bindings in model.once("imported names", lambda: _imported(model)).items():
        nodes = [binding.node for binding in bindings]
        if scope.lookup(local) != bindings or not _is_below(model, nodes, at):
            continue
        prefixes = model.names.lookup(local, model.binder.module_scope)
        for prefix in prefixes if len(prefixes) == 1 else ():
            spelled = _join(local, prefix, full)
            if spelled is not None and (best is None or len(spelled) < len(best)):
                best = spelled
    if best is None:
        found = (_join(n, prefix, full) for n, prefix in _starred(model, at).items())
        best = min(filter(None, found), key=len, default=None)
    short = full.removeprefix("tensorflow.")
    return best or (f"{_USUAL}.{short}" if _can_import(model) else None)


def _imported(model: SemanticModel) -> dict[str, list[Binding]]:
    """The names of the module that nothing but imports binds."""
    every = model.binder.module_scope.bindings.items()
    return {name: b for name, b in every if all(x.kind is BindingKind.IMPORT for x in b)}


def _starred(model: SemanticModel, at: cst.CSTNode) -> dict[str, str]:
    """What `from module import *` above some code names of TensorFlow, of what the module reads."""
    scope, module = model.binder.scope(at), model.binder.module_scope
    if module.star_imports and _is_below(model, _star_imports(model)[-1:], at):
        return {
            name: prefix
            for name in model.once("starred names", lambda: _read_by_star(model))
            if not scope.lookup(name)
            for prefix in model.names.lookup(name, module)
        }
    return {}


def _read_by_star(model: SemanticModel) -> list[str]:
    """The names that the module reads, binds nowhere, and gets from one module of TensorFlow."""
    module = model.binder.module_scope
    scopes = (module, *model.binder.inner_scopes.values())
    reads = {name for scope in scopes for name in scope.reads if name not in module.bindings}
    found = ((name, model.names.lookup(name, module)) for name in sorted(reads))
    return [
        name
        for name, full in found
        if len(full) == 1 and next(iter(full)).partition(".")[0] == "tensorflow"
    ]


def _star_imports(model: SemanticModel) -> list[cst.CSTNode]:
    nodes = model.nodes(cst.ImportFrom)
    return [node for node in nodes if isinstance(node.names, cst.ImportStar)]


def renamed(model: SemanticModel, call: cst.Call, name: str) -> list[NodeEdit] | None:
    """The edit that makes a call one of `tensorflow.<name>`, with the arguments that it has."""
    spelled = tensorflow_name(model, name, at=call)
    return [Replace(call.func, spelled)] if spelled is not None else None


def with_imports(model: SemanticModel, rewrite: Rewrite) -> Rewrite:
    """The rewrite together with `import tensorflow as tf`, where its new text needs that."""
    if not _can_import(model):
        return rewrite
    new = [part for edit in rewrite.edits for node in new_nodes(edit) for part in walk(node)]
    if not any(isinstance(node, cst.Name) and node.value == _USUAL for node in new):
        return rewrite
    return replace(rewrite, imports=[*rewrite.imports, ("tensorflow", _USUAL)])


def _can_import(model: SemanticModel) -> bool:
    """Whether the module surely imports from TensorFlow, and leaves the usual name of it free."""
    scopes = (model.binder.module_scope, *model.binder.inner_scopes.values())
    if any(_USUAL in scope.bindings or _USUAL in scope.reads for scope in scopes):
        return False
    return any(
        _imports_tensorflow(small)
        for statement in model.module.body
        if isinstance(statement, cst.SimpleStatementLine)
        for small in statement.body
    )


def _is_below(model: SemanticModel, imports: Sequence[cst.CSTNode], at: cst.CSTNode) -> bool:
    """Whether the first import of a name stands above the code that is to read it."""
    places = model.once(
        "places of statements",
        lambda: {id(statement): index for index, statement in enumerate(model.module.body)},
    )

    def place(node: cst.CSTNode) -> int:
        around = (places.get(id(n)) for n in (node, *model.ancestors(node)))
        return next((index for index in around if index is not None), -1)

    last = place(at)
    return last < 0 or any(place(node) <= last for node in imports)


def _imports_tensorflow(small: cst.BaseSmallStatement) -> bool:
    if isinstance(small, cst.Import):
        names = [alias.evaluated_name for alias in small.names]
    elif isinstance(small, cst.ImportFrom) and not small.relative:
        if isinstance(small.names, cst.ImportStar):
            return False
        names = [dotted(small.module) or ""]
    else:
        return False
    return any(name.partition(".")[0] == "tensorflow" for name in names)


def new_nodes(edit: NodeEdit) -> Iterator[cst.CSTNode]:
    """The code that an edit brings."""
    if isinstance(edit, (InsertBefore, InsertAfter, ReplaceStatements)):
        yield from edit.new
    elif isinstance(edit, Replace):
        yield brought(edit)
    elif isinstance(edit, InsertArgument):
        yield cst.parse_expression(f"f({edit.text})")
    elif isinstance(edit, (Decorate, ReplaceDecorator)):
        yield cst.parse_expression(edit.text)


def _join(local: str, prefix: str, full: str) -> str | None:
    if full == prefix:
        return local
    if full.startswith(prefix + "."):
        return local + full[len(prefix) :]
    short = full.removeprefix(TF)
    if prefix + "." == FIRST_API and canonical(FIRST_API + short) == full:
        return f"{local}.{short}"
    return None
