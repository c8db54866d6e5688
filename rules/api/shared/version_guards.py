"""Code that only runs under some versions of TensorFlow, or copes with a name that is missing."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from tfxla_lint.semantics.answers import Answers
from tfxla_lint.semantics.behind import bound, made, parts_behind
from tfxla_lint.semantics.counters import leaves
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.scopes import Binding, BindingKind
from tfxla_lint.semantics.syntax import dotted, walk
from tfxla_lint.semantics.world import Module, World

_ABOUT_VERSIONS = re.compile(
    r"version|type_checking|hasattr|getattr|legacy|compat|eager|is_?v[12]|tf_?v?[12](\W|_|$)"
    r"|keras_?[23]|backend"
)
#: What says that a name is missing, as whatever it may be caught.
_ERRORS = frozenset(
    base.__name__
    for error in (AttributeError, ModuleNotFoundError, NameError)
    for base in error.mro()
)
#: What says that a name is missing, and no more.
_MISSING = frozenset({"AttributeError", "ImportError", "ModuleNotFoundError", "NameError"})
#: A name that stands for a version, and what asks whether there is a name.
_VERSION = re.compile(r"(^|[._])version", re.IGNORECASE)
_ASKING = re.compile(r"builtins\.(has|get)attr")


def depends_on_version(model: SemanticModel, node: cst.CSTNode, instead: str | None = None) -> bool:
    """Whether a test, a `try`, a skip or an early return around `node` asks what there is.

    Where `instead` is what newer versions call what `node` names, any test asks so of which another
    side has that name.
    """
    if instead is not None and _is_called_beside(model, node, instead):
        return True
    child: cst.CSTNode = node
    for parent in model.ancestors(node):
        if isinstance(parent, (cst.Try, cst.TryStar)) and _expects_missing(parent):
            return True
        if any(_is_about_versions(model, test) for test in _tests(parent)):
            return True
        if isinstance(parent, (cst.IndentedBlock, cst.Module)):
            if id(child) in model.ask(_behind_returns, parent):
                return True
        child = parent
    return any(
        isinstance(parent, (cst.Try, cst.TryStar)) and _expects_missing(parent)
        for edge in model.calls.callers(model.unit(node))
        for parent in model.ancestors(edge.node)
    )


def copes_without(model: SemanticModel, node: cst.CSTNode) -> bool:
    """Whether a test of the version, a probe, or what catches that a name is missing surely stands
    around `node`: that the code names something is no sign then that it is there."""
    for parent in model.ancestors(node):
        if isinstance(parent, (cst.Try, cst.TryStar)):
            types = (handler.type for handler in parent.handlers if handler.type is not None)
            if any(_names(type_) & _MISSING for type_ in types):
                return True
        elif isinstance(parent, cst.With):
            if any(_is_suppressing(model, item.item) for item in parent.items):
                return True
        elif isinstance(parent, (cst.If, cst.IfExp, cst.While, cst.BooleanOperation)):
            if any(_asks_version(model, test) for test in _tests(parent)):
                return True
    return False


def _is_suppressing(model: SemanticModel, item: cst.BaseExpression) -> bool:
    if not isinstance(item, cst.Call) or model.names.one(item.func) != "contextlib.suppress":
        return False
    return any(_names(argument.value) & _MISSING for argument in item.args)


def _asks_version(model: SemanticModel, test: cst.CSTNode) -> bool:
    """Whether a test asks for a version of TensorFlow, or what TensorFlow has."""
    names = (part for part in walk(test) if isinstance(part, cst.Name))
    return any(_tells_version(model, part) for part in walk(test)) or any(
        model.ask(_comes_from_there, binding) for name in names for binding in bound(model, name)
    )


def _names(node: cst.CSTNode) -> set[str]:
    return {part.value for part in walk(node) if isinstance(part, cst.Name)}


def _expects_missing(node: cst.Try | cst.TryStar) -> bool:
    for handler in node.handlers:
        if handler.type is None:
            return True
        if _names(handler.type) & _ERRORS:
            return True
    return False


def _tests(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    if isinstance(node, (cst.If, cst.IfExp, cst.While)):
        yield node.test
    elif isinstance(node, cst.BooleanOperation):
        yield node.left
    elif isinstance(node, (cst.FunctionDef, cst.ClassDef)):
        yield from (decorator.decorator for decorator in node.decorators)
    elif isinstance(node, cst.With):
        for item in node.items:
            text = item.item.func if isinstance(item.item, cst.Call) else item.item
            name = (dotted(text) or "").rpartition(".")[2].lower()
            if "raises" in name or name == "suppress":
                yield cst.Name("version")


def _is_about_versions(model: Answers, test: cst.CSTNode) -> bool:
    for part in walk(test):
        if isinstance(part, (cst.Name, cst.Attribute)):
            text = part.value if isinstance(part, cst.Name) else part.attr.value
            if isinstance(text, str) and _ABOUT_VERSIONS.search(text.lower()):
                return True
        if isinstance(part, cst.Name) and _comes_from_version(model, part):
            return True
    return False


def _comes_from_version(model: Answers, name: cst.Name) -> bool:
    """Whether a name stands for something that asks for a version: `new = tf.__version__ > ...`."""
    for binding in model.flow.reached(name).bindings:
        for part in walk(binding.value) if binding.value is not None else ():
            if isinstance(part, cst.Attribute) and _ABOUT_VERSIONS.search(part.attr.value.lower()):
                return True
            if isinstance(part, cst.Name) and part.value in ("hasattr", "getattr"):
                return True
    return any(model.ask(_comes_from_there, binding) for binding in bound(model, name))


def _comes_from_there(world: World, binding: Binding) -> bool:
    parts = (part for root in made(binding) for part in parts_behind(world, root))
    imported = binding.imported if binding.kind is BindingKind.IMPORT else None
    if imported is not None and _VERSION.search(imported.rpartition(".")[2]):
        return True
    return any(_tells_version(world, part) for part in parts)


def _tells_version(model: Answers, part: cst.CSTNode) -> bool:
    """Whether an expression is a version of something, or asks what TensorFlow has."""
    if isinstance(part, cst.Call) and part.args:
        if any(map(_ASKING.fullmatch, model.names.of(part.func))):
            return any(n.startswith("tensorflow") for n in model.names.of(part.args[0].value))
    return any(_VERSION.search(name) for name in model.names.of(part))


def _is_called_beside(model: Answers, node: cst.CSTNode, name: str) -> bool:
    """Whether a name is written where another side of a test around `node` leads."""
    child = node
    for parent in model.ancestors(node):
        for other in _other_sides(model, parent, child):
            if any(isinstance(part, cst.Name) and part.value == name for part in walk(other)):
                return True
        child = parent
    return False


def _other_sides(model: Answers, parent: cst.CSTNode, child: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """What runs instead of `child`, within the statement or the block that holds it."""
    if isinstance(parent, (cst.If, cst.IfExp)):
        sides = (parent.body, parent.orelse)
        yield from (side for side in sides if side not in (None, child) and child in sides)
    elif isinstance(parent, (cst.Try, cst.TryStar)):
        yield from (part for part in (parent.body, *parent.handlers) if part is not child)
    elif isinstance(parent, cst.Match):
        yield from (case for case in parent.cases if case is not child)
    elif isinstance(parent, (cst.IndentedBlock, cst.Module)):
        # Blocks may be long, and few of their statements leave them.
        leaving = model.ask(_leaving, parent)
        own = model.ask(_places, parent).get(id(child), -1) if leaving else -1
        yield from (cst.ensure_type(parent.body[i], cst.If).body for i in leaving if i < own)
        if own in leaving:
            yield from parent.body[own + 1 :]


def _leaving(model: Answers, block: cst.IndentedBlock | cst.Module) -> tuple[int, ...]:
    """The places of the tests in a block that leave it where they hold."""
    body = enumerate(block.body)
    return tuple(i for i, part in body if isinstance(part, cst.If) and leaves(part.body))


def _places(model: Answers, block: cst.IndentedBlock | cst.Module) -> dict[int, int]:
    """Where each statement of a block stands in it."""
    return {id(part): place for place, part in enumerate(block.body)}


def _behind_returns(world: World, block: cst.IndentedBlock | cst.Module) -> frozenset[int]:
    """The statements of a block that stand below `if <test of the version>: return ...`."""
    for at, statement in enumerate(block.body):
        if isinstance(statement, cst.If) and _is_about_versions(world, statement.test):
            if any(isinstance(part, (cst.Return, cst.Raise)) for part in walk(statement.body)):
                return frozenset(map(id, block.body[at + 1 :]))
    return frozenset()


def is_provided(model: SemanticModel, name: str) -> bool:
    """Whether the project may put something of its own in the place of a full name of TensorFlow."""
    provided = provided_names(model)
    above, _, last = name.rpartition(".")
    return bool({name, last, f"{above}.*"} & provided)


def provided_names(model: SemanticModel) -> frozenset[str]:
    """Names that the module adds to TensorFlow itself, or asks for by `hasattr`.

    Full names of what it, or another file of the project, assigns (`tf.foo = ...`) and the bare
    names in `hasattr(x, "foo")`, `getattr`, and any file's `setattr` and `vars(x)["foo"] = ...`;
    `tensorflow.*` where `setattr` is given names that are worked out.
    """
    return model.ask(_provided_names, model.home)


def _provided_names(world: World, module: Module) -> frozenset[str]:
    found = set(world.ask(_assigned_names))
    for call in world.binder_of(module).nodes(cst.Call):
        if world.names.one(call.func) in ("builtins.hasattr", "builtins.getattr"):
            found.update(_text(argument.value) for argument in call.args[1:2])
    return frozenset(found)


def _text(node: cst.BaseExpression) -> str:
    return str(node.evaluated_value) if isinstance(node, cst.SimpleString) else ""


def _assigned_names(world: World) -> frozenset[str]:
    """The full names of all attributes that a file of the project assigns, and texts that it sets
    attributes or members by."""
    targets = (target.target for target in world.everywhere(cst.AssignTarget))
    found = set(world.assigned_names)
    for target in targets:
        if isinstance(target, cst.Attribute):
            found |= world.names.of(target)
        elif isinstance(target, cst.Subscript) and isinstance(target.slice[0].slice, cst.Index):
            found.add(_text(target.slice[0].slice.value))
    for call in world.everywhere(cst.Call):
        if world.names.one(call.func) == "builtins.setattr" and len(call.args) > 1:
            holder, name = call.args[0].value, call.args[1].value
            if isinstance(name, cst.SimpleString):
                found.add(_text(name))
            else:
                found |= {f"{home}.*" for home in world.names.of(holder)}
    return frozenset(found)
