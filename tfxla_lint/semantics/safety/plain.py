"""Plain code: the closed part of Python in which alone code is traced unasked.

A proof names all that touches the objects of a step. That is the whole of it only where nothing
reaches them unnamed: through frames, namespaces, hooks, copies, descriptors, metaclasses, or syntax
that binds or runs what does not show. There is no list of such ways. All files that take part have to
be made of the syntax that is listed here, and of names that `behaviour.json` calls plain.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.project import layout
from tfxla_lint.semantics.api import KERAS_CALLED_METHODS
from tfxla_lint.semantics.names import canonical
from tfxla_lint.semantics.safety.cells import changed_by_cells
from tfxla_lint.semantics.safety.passed_on import is_called, is_left_alone
from tfxla_lint.semantics.safety.settled import is_own_object
from tfxla_lint.semantics.safety.verdict import Safety
from tfxla_lint.semantics.scopes import BindingKind
from tfxla_lint.semantics.syntax import block_statements, decorators_of, imported_name
from tfxla_lint.semantics.units import MethodKind
from tfxla_lint.semantics.values import Kind

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

Place = tuple[cst.CSTNode, str]

#: The syntax of plain code.
_SYNTAX: frozenset[type[cst.CSTNode]] = frozenset(
    {cst.SimpleStatementLine, cst.SimpleStatementSuite, cst.IndentedBlock, cst.Expr, cst.Pass,
     cst.Return, cst.Break, cst.Continue, cst.Raise, cst.From, cst.Assert, cst.Assign,
     cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.Annotation, cst.If, cst.Else, cst.For,
     cst.While, cst.With, cst.WithItem, cst.AsName, cst.Try, cst.ExceptHandler, cst.Finally,
     cst.Import, cst.ImportFrom, cst.ImportAlias, cst.FunctionDef, cst.Lambda, cst.Parameters,
     cst.Param, cst.Decorator, cst.ClassDef, cst.Name, cst.Attribute, cst.Call, cst.Arg,
     cst.Integer, cst.Float, cst.Imaginary, cst.SimpleString, cst.ConcatenatedString,
     cst.FormattedString, cst.FormattedStringText, cst.FormattedStringExpression,
     cst.UnaryOperation, cst.BinaryOperation, cst.BooleanOperation, cst.Comparison,
     cst.ComparisonTarget, cst.IfExp, cst.Subscript, cst.SubscriptElement, cst.Index, cst.Slice,
     cst.Ellipsis, cst.Tuple, cst.List, cst.Set, cst.Element, cst.StarredElement, cst.Dict,
     cst.DictElement, cst.StarredDictElement, cst.ListComp, cst.SetComp, cst.DictComp,
     cst.GeneratorExp, cst.CompFor, cst.CompIf, cst.Del}
)  # fmt: skip
#: What runs what stands in it at another time than what stands around it.
_TURNING = (cst.For, cst.While, cst.FunctionDef, cst.Lambda, cst.ClassDef)
#: Decorators of which it is known what they make.
_DECORATING = frozenset({"tensorflow.function"}).union(
    *(
        behaviour.names(trait)
        for trait in (
            Trait.KEEPS_FUNCTION, Trait.LAUNCHES, Trait.PROPERTY, Trait.STATIC_METHOD,
            Trait.CLASS_METHOD, Trait.RECORD,
        )
    )
)  # fmt: skip
_TAKING = behaviour.names(Trait.TAKES_ALL)
_JOINING = behaviour.methods(Trait.TAKES_ALL, "string")

#: The names of the data model that only do what they are written for.
_SPECIAL = behaviour.methods(Trait.PLAIN)
#: Stands for any name of a module.
_ANY = "name"
#: What notebooks bring along, and only shows things.
_BROUGHT = frozenset({"display"})
_MAGICS = behaviour.methods(Trait.PLAIN, "magic")
#: What an object tells of itself, and nothing runs by.
_TOLD = frozenset({"__name__", "__doc__"})
_SET_AT_LARGE = frozenset({Kind.CLASS, Kind.FUNCTION, Kind.METHOD, Kind.TRACED, Kind.PYTHON_MODULE})


def not_plain(model: Answers) -> Place | None:
    """The first place, anywhere, that is no plain code, with words for it."""
    asked = (
        _syntax, _decorated, _starred, _imported, _overlaid, _bound_again, _made, _unbound, _spelled,
        _special, _read, _carried, _lent, _set, changed_by_cells,
    )  # fmt: skip
    return next((place for find in asked for place in find(model)), None)


@lru_cache(maxsize=16384)
def is_plain(name: str) -> bool:
    """Whether what a dotted name stands for leaves all objects alone that it is not handed, and
    keeps none that it is."""
    return behaviour.holds(Trait.PLAIN, name) or behaviour.holds(Trait.SAME, name)


@lru_cache(maxsize=4096)
def _may_be_imported(name: str) -> bool:
    """Whether importing a module runs nothing but what is known: one of which something is plain."""
    start = f"{name}."
    known = (*behaviour.prefixes(Trait.PLAIN), *behaviour.names(Trait.PLAIN))
    return is_plain(name) or any(each.startswith(start) or start.startswith(each) for each in known)


def _syntax(model: Answers) -> Iterator[Place]:
    """Syntax that is none of plain code, or stands where it is none."""
    for binder in model.world.binders:
        kinds = sorted(binder.kinds - _SYNTAX, key=lambda kind: kind.__name__)
        other = [node for kind in kinds for node in binder.nodes(kind)]
        for node in sorted(other, key=lambda node: len([*model.ancestors(node)])):
            word = ":=" if isinstance(node, cst.NamedExpr) else type(node).__name__.lower()
            yield node, f"uses `{word}`"
    waiting: list[cst.FunctionDef | cst.CompFor] = [*model.everywhere(cst.FunctionDef)]
    for node in (*waiting, *model.everywhere(cst.CompFor)):
        if node.asynchronous is not None:
            yield node, "uses `async`"
    for generator in model.everywhere(cst.GeneratorExp):
        if not _is_taken_at_once(model, generator):
            yield generator, "makes a generator that is not taken at once"
    for statement in (*model.everywhere(cst.Import), *model.everywhere(cst.ImportFrom)):
        if any(isinstance(around, _TURNING) for around in model.ancestors(statement)):
            yield statement, "imports in a loop, a function or a class"
    for deletion in model.everywhere(cst.Del):
        if not isinstance(deletion.target, cst.Name):
            yield deletion, "deletes what is no name"
    for definition in model.everywhere(cst.ClassDef):
        for part in block_statements(definition.body):
            small = part.body if isinstance(part, cst.SimpleStatementLine) else [part]
            if not all(map(_is_of_class_body, small)):
                yield part, f"`{definition.name.value}` runs code while it is made"


def _is_of_class_body(part: cst.CSTNode) -> bool:
    """Whether a statement in the body of a class only says what the class has."""
    if isinstance(part, cst.Expr):
        return isinstance(part.value, (cst.SimpleString, cst.ConcatenatedString, cst.Ellipsis))
    return isinstance(part, (cst.FunctionDef, cst.Pass, cst.Assign, cst.AnnAssign))


def _is_taken_at_once(model: Answers, generator: cst.GeneratorExp) -> bool:
    """Whether a call takes all that a generator gives before anything else runs."""
    argument = model.parent(generator)
    call = model.parent(argument) if isinstance(argument, cst.Arg) else None
    if not isinstance(call, cst.Call):
        return False
    if isinstance(call.func, cst.Attribute) and call.func.attr.value in _JOINING:
        return model.value(call.func.value).kind is Kind.STRING
    return model.names.one(call.func) in _TAKING


def _decorated(model: Answers) -> Iterator[Place]:
    for definition in (*model.everywhere(cst.FunctionDef), *model.everywhere(cst.ClassDef)):
        for head in decorators_of(definition):
            if model.names.one(head) not in _DECORATING:
                yield head, f"what `{model.code(head)}` makes of it is not known"


def _starred(model: Answers) -> Iterator[Place]:
    for node in model.everywhere(cst.ImportFrom):
        if isinstance(node.names, cst.ImportStar):
            yield node, "imports names that are not written out"


def _spelled(model: Answers) -> Iterator[Place]:
    """Names of which Python makes others: those of letters that it writes otherwise, and those that a
    class keeps to itself."""
    found: list[Place] = [(node, node.value) for node in model.everywhere(cst.Name)]
    found += ((node, node.attr.value) for node in model.everywhere(cst.Attribute))
    found += ((node, imported_name(node)) for node in model.everywhere(cst.ImportAlias))
    found += ((node, node.name.value) for node in model.everywhere(cst.FunctionDef))
    found += ((node, node.name.value) for node in model.everywhere(cst.ClassDef))
    found += ((node, node.name.value) for node in model.everywhere(cst.Param))
    for node, name in found:
        is_own = name.startswith("__") and not name.endswith("__")
        if is_own or not (name.isascii() or unicodedata.is_normalized("NFKC", name)):
            yield node, f"Python makes another name of `{name}`"


def _unbound(model: Answers) -> Iterator[Place]:
    """Names that nothing binds: what a notebook brings along, say."""
    for node in model.everywhere(cst.Name):
        scope = model.binder.scope(node)
        if scope.home(node.value) is None and not model.names.of(node) and scope.is_read(node):
            is_known = node.value in _BROUGHT or _is_magic(model, node)
            if model.names.starred(node.value, scope) is None and not is_known:
                yield node, f"what `{node.value}` is is not known"


def _is_magic(model: Answers, node: cst.Name) -> bool:
    """Whether a name begins a magic that is plain, or loads an extension that may be imported."""
    call = model.parent(node)
    method = model.parent(call) if isinstance(call, cst.Call) and call.func is node else None
    run = model.parent(method) if isinstance(method, cst.Attribute) else None
    if node.value != "get_ipython" or not isinstance(method, cst.Attribute):
        return False
    if not isinstance(run, cst.Call) or run.func is not method:
        return False
    said = [model.value(argument.value).constant for argument in run.args]
    if not method.attr.value.startswith("run_") or not said:
        return False
    is_loading = said[0] == "load_ext" and len(said) == 2
    return said[0] in _MAGICS or (is_loading and is_plain(f"{said[1]}.load_ipython_extension"))


def _imported(model: Answers) -> Iterator[Place]:
    for alias in model.everywhere(cst.ImportAlias):
        for binding in model.binder.scope(alias).bindings.get(imported_name(alias), ()):
            if binding.node is not alias or binding.kind is not BindingKind.IMPORT:
                continue
            if model.names.target(binding) is None:
                name = canonical(binding.imported or "")
                home = name.rpartition(".")[0]
                if not (_may_be_imported(name) or (home and _may_be_imported(home))):
                    yield alias, f"`{name}` is imported, and not known to leave other code alone"


def _overlaid(model: Answers) -> Iterator[Place]:
    """Names of a package that one of its modules takes the place of when that is imported."""
    paths = [(PurePosixPath(module.file), module) for module in model.world.modules]
    packages = {path.parent: module for path, module in paths if path.stem == "__init__"}
    files = [path.with_suffix("") for path, _ in paths] if packages else []
    for inner in {above for file in files for above in (file, *file.parents)}:
        package = packages.get(inner.parent)
        bindings = package.binder.module_scope.bindings if package is not None else {}
        for binding in bindings.get(inner.name, ()):
            if not _is_module_at(model.names.target(binding), inner):
                yield binding.node, f"`{inner.name}` may be the module of that name"


def _bound_again(model: Answers) -> Iterator[Place]:
    """Functions, classes and modules of the project whose name stands for something else as well."""
    defined: list[cst.FunctionDef | cst.ClassDef] = [*model.everywhere(cst.FunctionDef)]
    for definition in (*defined, *model.everywhere(cst.ClassDef)):
        scope, name = model.binder.scope(definition), definition.name.value
        if len(scope.bindings.get(name, ())) > 1:
            yield definition, f"`{name}` is bound more than once"
    for alias in model.everywhere(cst.ImportAlias):
        name = imported_name(alias)
        bindings = model.binder.scope(alias).bindings.get(name, ())
        if len({model.names.target(binding) for binding in bindings}) > 1:
            yield alias, f"`{name}` is bound more than once"


def _carried(model: Answers) -> Iterator[Place]:
    """Modules of the project that are values: what is asked of them then is not seen."""
    for node in model.everywhere(cst.Name):
        if model.value(node).kind is Kind.PYTHON_MODULE and model.binder.scope(node).is_read(node):
            holder = model.parent(node)
            if not (isinstance(holder, cst.Attribute) and holder.value is node):
                yield node, f"the module `{node.value}` is handed on"


def _is_module_at(target: object, path: PurePosixPath) -> bool:
    """Whether what an import binds is the module or package at a path without a suffix."""
    if not isinstance(target, layout.Place):
        return False
    return str(path) in (target.folder, str(PurePosixPath(target.file or "").with_suffix("")))


def _read(model: Answers) -> Iterator[Place]:
    for node in (*model.everywhere(cst.Name), *model.everywhere(cst.Attribute)):
        names = model.names.of(node)
        if not names or all(map(is_plain, names)):
            continue
        holder = model.parent(node)
        if isinstance(holder, cst.Attribute) and (holder.attr is node or model.names.of(holder)):
            continue
        if isinstance(node, cst.Name) and not model.binder.scope(node).is_read(node):
            continue
        yield node, f"`{model.code(node)}` is not known to leave other objects alone"


def _special(model: Answers) -> Iterator[Place]:
    asked = list(model.everywhere(cst.Attribute))
    nodes = [node.attr for node in asked if not _is_of_class(model, node)]
    defined = [definition.name for definition in model.everywhere(cst.FunctionDef)]
    defined += [t for t in model.ask(Safety).state.targets if isinstance(t, cst.Name)]
    asked_of = set(map(id, nodes))
    for node in (*nodes, *defined):
        known = _TOLD if id(node) in asked_of else _SPECIAL
        name = node.value
        if name.startswith("__") and name.endswith("__") and name not in known:
            yield node, f"`{name}` may reach what nobody names"
    set_up: set[int] = set()
    for holder in (each for each in asked if each.attr.value == "__init__"):
        unit = model.unit(holder)
        if id(unit) in set_up or any(isinstance(a, _TURNING[:2]) for a in model.ancestors(holder)):
            yield holder, "sets an object up more than once"
        set_up.add(id(unit))


def _is_of_class(model: Answers, node: cst.Attribute) -> bool:
    """Whether a method asks a class, or what `super()` gives, for the one that it stands for, of its own
    object."""
    if model.names.of(node) and not is_called(model, node):
        return node.attr.value in _SPECIAL
    return node.attr.value in _SPECIAL and _is_handed_itself(model, node)


def _is_handed_itself(model: Answers, node: cst.Attribute) -> bool:
    """Whether a method runs the one of the same name of a class, or of `super()`, on its own object."""
    holder, unit = node.value, model.unit(node)
    if unit.name != node.attr.value:
        return False
    call = model.parent(node)
    if isinstance(holder, cst.Call) and model.names.of(holder.func) == {"builtins.super"}:
        given = [argument.value for argument in holder.args[1:]]
    elif model.value(holder).kind is Kind.CLASS or model.names.of(holder):
        given = [a.value for a in call.args[:1]] if isinstance(call, cst.Call) else []
        if not given:
            return False
    else:
        return False
    return all(is_own_object(unit, value) for value in given)


def _lent(model: Answers) -> Iterator[Place]:
    """Methods that are taken from their class, to run on whatever they are handed."""
    for node in model.everywhere(cst.Attribute):
        value = model.value(node.value)
        info = value.class_ if value.kind is Kind.CLASS else None
        method = info.method(node.attr.value) if info is not None else None
        if method is not None and method.method is MethodKind.INSTANCE:
            if not _is_handed_itself(model, node):
                yield node, f"`{model.code(node)}` may run on another object"


def _made(model: Answers) -> Iterator[Place]:
    for definition in model.everywhere(cst.ClassDef):
        for keyword in definition.keywords:
            if not model.names.of(keyword.value) or not all(
                map(is_plain, model.names.of(keyword.value))
            ):
                yield (
                    keyword,
                    f"`{model.code(keyword.value)}` may change what `{definition.name.value}` is",
                )
        for base in definition.bases:
            value = model.value(base.value)
            if not model.names.of(base.value) and value.kind is not Kind.CLASS:
                yield base, f"what `{model.code(base.value)}` gives its classes is not known"


def _set(model: Answers) -> Iterator[Place]:
    for target in model.ask(Safety).state.targets:
        if isinstance(target, cst.Attribute):
            holder = target.value
            value = model.value(holder)
            if (
                model.names.of(holder)
                or model.names.place(holder) is not None
                or value.kind in _SET_AT_LARGE
                or (value.is_known and target.attr.value in KERAS_CALLED_METHODS)
            ):
                yield target, f"`{model.code(target)}` is set"
            elif not value.is_known and value.class_ is None and not _is_left(model, target):
                yield target, f"`{model.code(target)}` is set, of what is not known"


def _is_left(model: Answers, node: cst.CSTNode) -> bool:
    """Whether nothing runs the function that a node stands in: nobody hands it anything, either."""
    return is_left_alone(model, model.unit(node))
