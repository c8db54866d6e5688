"""Units: the functions, lambdas and module body of one module, and its classes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar, overload

import libcst as cst

from tfxla_lint.identity import ByIdentity
from tfxla_lint.semantics.binder import Binder
from tfxla_lint.semantics.scopes import Scope, ScopeKind
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.values import UNBOUND, Kind, Tracing, Value

_Node = TypeVar("_Node", bound=cst.CSTNode)
_Other = TypeVar("_Other", bound=cst.CSTNode)
_More = TypeVar("_More", bound=cst.CSTNode)


class MethodKind(ByIdentity):
    """How a function in a class body is bound."""

    NONE = "function"
    INSTANCE = "method"
    CLASS = "classmethod"
    STATIC = "staticmethod"
    PROPERTY = "property"


@dataclass(slots=True, eq=False)
class Parameter:
    """One parameter.

    `value` is the join of what the calls seen pass (and of its default), from when the modules
    have been interpreted.
    """

    name: str
    node: cst.Param
    form: str
    value: Value = UNBOUND


@dataclass(frozen=True, slots=True)
class Signature:
    """Parameters by how arguments get to them: by position, by keyword, or as the rest of either."""

    positional: tuple[Parameter, ...]
    keyword_only: tuple[Parameter, ...]
    by_keyword: dict[str, Parameter]
    rest: Parameter | None
    extra: Parameter | None

    @classmethod
    def of(cls, parameters: Sequence[Parameter]) -> Signature:
        """The signature of a function with these parameters."""
        return cls(
            tuple(p for p in parameters if p.form in ("positional", "either")),
            tuple(p for p in parameters if p.form == "keyword"),
            {p.name: p for p in parameters if p.form in ("either", "keyword")},
            next((p for p in parameters if p.form == "*"), None),
            next((p for p in parameters if p.form == "**"), None),
        )


@dataclass(frozen=True, slots=True)
class Decoration:
    """What the decorators of a function make of it.

    `unknown` are those that may do anything with it; `launcher` is one that runs it, and
    where `is_turned` holds many times.
    """

    method: MethodKind = MethodKind.NONE
    tracing: Tracing | None = None
    unknown: tuple[cst.Decorator, ...] = ()
    launcher: cst.Decorator | None = None
    is_turned: bool = False

    @property
    def is_method(self) -> bool:
        """Whether the first parameter is the instance."""
        return self.method in (MethodKind.INSTANCE, MethodKind.PROPERTY)


@dataclass(frozen=True, slots=True)
class UnitSummary:
    """What the interpreter inferred of a unit.

    `yields` is what a generator yields, whatever it is; `receivers` are the classes of the objects
    that a method was seen to be called on.
    """

    decoration: Decoration = Decoration()
    returns: Value = UNBOUND
    yields: Value = UNBOUND
    receivers: tuple[ClassInfo, ...] = ()


@dataclass(slots=True, eq=False)
class Unit:
    """A body of code that runs as one: a function, a lambda, or the module itself.

    `summary` is set once, when the modules have been interpreted; what is asked of decorators,
    results and receivers answers from it. `syntactic_method` is how a function in a class body is
    bound if no decorator has a say.
    """

    node: cst.FunctionDef | cst.Lambda | cst.Module
    name: str
    qualname: str
    scope: Scope
    parent: Unit | None = None
    class_: ClassInfo | None = None
    syntactic_method: MethodKind = MethodKind.NONE
    parameters: list[Parameter] = field(default_factory=list)
    is_generator: bool = False
    is_async: bool = False
    is_decorated: bool = False
    summary: UnitSummary = UnitSummary()
    _nodes: dict[bool, list[cst.CSTNode]] = field(default_factory=dict)
    _own: dict[tuple[type[cst.CSTNode], ...], list[cst.CSTNode]] = field(default_factory=dict)
    _signature: Signature | None = None

    @property
    def signature(self) -> Signature:
        """The parameters, by how arguments get to them."""
        if self._signature is None:
            self._signature = Signature.of(self.parameters)
        return self._signature

    @property
    def body(self) -> list[cst.CSTNode]:
        """What runs when it is called: its statements, or a lambda's expression."""
        node = self.node
        if isinstance(node, cst.Lambda):
            return [node.body]
        return list(node.body if isinstance(node, cst.Module) else node.body.body)

    def nodes(self, *, into_scopes: bool = True) -> Sequence[cst.CSTNode]:
        """The nodes of the body, parents first; `into_scopes` as for `syntax.walk`."""
        found = self._nodes.get(into_scopes)
        if found is None:
            found = self._nodes[into_scopes] = [
                node
                for root in self.body
                if into_scopes or not isinstance(root, (cst.FunctionDef, cst.ClassDef))
                for node in walk(root, into_scopes=into_scopes)
            ]
        return found

    @overload
    def own(self, kind: type[_Node], /) -> list[_Node]: ...

    @overload
    def own(
        self, kind: type[_Node], other: type[_Other], /, *more: type[_More]
    ) -> list[_Node | _Other | _More]: ...

    def own(self, *kinds: type[cst.CSTNode]) -> list[Any]:
        """The nodes of its own code, without nested scopes, of exactly these types, in order."""
        found = self._own.get(kinds)
        if found is None:
            nodes = self.nodes(into_scopes=False)
            found = self._own[kinds] = [node for node in nodes if type(node) in kinds]
        return found

    @property
    def is_module(self) -> bool:
        """Whether this is the module's body."""
        return type(self.node) is cst.Module

    @property
    def is_lambda(self) -> bool:
        """Whether this is a lambda."""
        return type(self.node) is cst.Lambda

    @property
    def method(self) -> MethodKind:
        """How it is bound when it is read from a class or an instance."""
        return self.summary.decoration.method

    @property
    def is_method(self) -> bool:
        """Whether the first parameter is the instance."""
        return self.summary.decoration.is_method

    @property
    def tracing(self) -> Tracing | None:
        """How a decorator wraps it by `tf.function`, if one does."""
        return self.summary.decoration.tracing

    @property
    def unknown_decorators(self) -> tuple[cst.Decorator, ...]:
        """The decorators that may do anything with it."""
        return self.summary.decoration.unknown

    @property
    def launcher(self) -> cst.Decorator | None:
        """The decorator that runs it."""
        return self.summary.decoration.launcher

    @property
    def returns(self) -> Value:
        """What it returns; UNBOUND where that was not seen."""
        return self.summary.returns

    @property
    def receivers(self) -> tuple[ClassInfo, ...]:
        """The classes of the objects that a method was seen to be called on."""
        return self.summary.receivers

    def parameter(self, name: str) -> Parameter | None:
        """The parameter of this name."""
        return next((p for p in self.parameters if p.name == name), None)


@dataclass(frozen=True, slots=True)
class Ancestry:
    """What the bases of a class say: `role` is the kind of its instances (model, layer, ...).

    `may_trace` says that a base that is not known may know TensorFlow, and trace its methods.
    """

    role: Kind = Kind.OBJECT
    names: tuple[str, ...] = ()
    bases: tuple[ClassInfo, ...] = ()
    is_unknown: bool = False
    may_trace: bool = False


@dataclass(frozen=True, slots=True)
class ClassSummary:
    """What the interpreter inferred of a class.

    `is_open` says that its instances get attributes whose names are not written out.
    """

    ancestry: Ancestry = Ancestry()
    is_open: bool = False
    attributes: Mapping[str, Value] = field(default_factory=dict)


_PLAIN = frozenset({"builtins.object"})


@dataclass(slots=True, eq=False)
class ClassInfo:
    """A class; `summary` is set once, when the modules have been interpreted."""

    node: cst.ClassDef
    name: str
    scope: Scope
    methods: dict[str, Unit] = field(default_factory=dict)
    summary: ClassSummary = ClassSummary()

    @property
    def role(self) -> Kind:
        """The kind of its instances."""
        return self.summary.ancestry.role

    @property
    def base_names(self) -> tuple[str, ...]:
        """The dotted names of its bases, and of those of its first-party bases."""
        return self.summary.ancestry.names

    @property
    def bases(self) -> tuple[ClassInfo, ...]:
        """Its first-party bases."""
        return self.summary.ancestry.bases

    @property
    def has_unknown_base(self) -> bool:
        """Whether nothing is known of some base."""
        return self.summary.ancestry.is_unknown

    @property
    def has_foreign_base(self) -> bool:
        """Whether some base is not a class of the project: whose code may call its methods."""
        return any(
            member.has_unknown_base or set(member.base_names) - _PLAIN for member in self.lineage()
        )

    @property
    def base_may_trace(self) -> bool:
        """Whether a base that is not known may trace its methods."""
        return self.summary.ancestry.may_trace

    @property
    def is_open(self) -> bool:
        """Whether its instances get attributes whose names are not written out."""
        return self.summary.is_open

    @property
    def attributes(self) -> Mapping[str, Value]:
        """What is known of the attributes that are set on it and its instances."""
        return self.summary.attributes

    def lineage(self) -> list[ClassInfo]:
        """This class and its first-party bases, nearest first."""
        return lineage(self, lambda info: info.summary.ancestry)

    def method(self, name: str) -> Unit | None:
        """The method of this name, through first-party bases."""
        return next((c.methods[name] for c in self.lineage() if name in c.methods), None)

    def attribute(self, name: str) -> Value | None:
        """What is known of an instance or class attribute, through first-party bases."""
        return next((c.attributes[name] for c in self.lineage() if name in c.attributes), None)


def lineage(info: ClassInfo, ancestry: Callable[[ClassInfo], Ancestry]) -> list[ClassInfo]:
    """A class and its first-party bases, nearest first, where `ancestry` says what they are."""
    pending = list(ancestry(info).bases)
    if not pending:
        return [info]
    found: dict[ClassInfo, None] = {info: None}
    for base in pending:
        if base not in found:
            found[base] = None
            pending.extend(ancestry(base).bases)
    return list(found)


@dataclass(eq=False, slots=True)
class UnitIndex:
    """The units and classes of all modules that are analysed together, by identity."""

    by_node: dict[int, Unit] = field(default_factory=dict)
    by_scope: dict[int, Unit] = field(default_factory=dict)
    classes: dict[int, ClassInfo] = field(default_factory=dict)


class Units:
    """All units and classes of a module.

    `all` and `classes` are this module's; the look-ups answer for every module of the `index`.
    """

    def __init__(self, binder: Binder, index: UnitIndex | None = None) -> None:
        self._binder = binder
        self.module = Unit(binder.module, "<module>", "<module>", binder.module_scope)
        self.all: list[Unit] = [self.module]
        self.classes: list[ClassInfo] = []
        index = index if index is not None else UnitIndex()
        self._by_node = index.by_node
        self._by_scope = index.by_scope
        self._classes_by_node = index.classes
        self._by_node[id(binder.module)] = self.module
        self._by_scope[id(binder.module_scope)] = self.module
        for class_node in binder.nodes(cst.ClassDef):
            self._add_class(class_node)
        for function in binder.nodes(cst.FunctionDef):
            self._add_function(function)
        for lambda_node in binder.nodes(cst.Lambda):
            self._add_lambda(lambda_node)
        for unit in self.all[1:]:
            unit.parent = self.of_scope(unit.scope.parent)
        for node in (*binder.nodes(cst.Yield), *binder.nodes(cst.From)):
            if isinstance(node, cst.Yield):
                self.containing(node).is_generator = True

    def part(self) -> None:
        """Part units and classes, which hold each other, when nobody asks for them any more."""
        for unit in self.all:
            unit.parent = unit.class_ = unit._signature = None
            unit.parameters, unit.summary = [], UnitSummary()
        for info in self.classes:
            info.methods, info.summary = {}, ClassSummary()

    def nodes(self, kind: type[_Node]) -> list[_Node]:
        """All nodes of exactly this type in the module, in order."""
        return self._binder.nodes(kind)

    def of(self, node: cst.CSTNode) -> Unit | None:
        """The unit that a `def`, lambda or module node is."""
        return self._by_node.get(id(node))

    def class_of(self, node: cst.CSTNode) -> ClassInfo | None:
        """The class that a `class` node is."""
        return self._classes_by_node.get(id(node))

    def of_scope(self, scope: Scope | None) -> Unit:
        """The unit whose code runs in `scope` (a class body runs in the unit around it)."""
        while scope is not None:
            unit = self._by_scope.get(id(scope))
            if unit is not None:
                return unit
            scope = scope.parent
        return self.module

    def containing(self, node: cst.CSTNode) -> Unit:
        """The unit in which a node is evaluated (a decorator: the one around its function)."""
        return self.of_scope(self._binder.scope(node))

    def module_of(self, unit: Unit) -> Unit:
        """The body of the module that `unit` stands in."""
        return self._by_scope[id(unit.scope.module)]

    def _add_class(self, node: cst.ClassDef) -> None:
        scope = self._binder.inner_scopes[id(node)]
        info = ClassInfo(node, node.name.value, scope)
        self.classes.append(info)
        self._classes_by_node[id(node)] = info

    def _add_function(self, node: cst.FunctionDef) -> None:
        scope = self._binder.inner_scopes[id(node)]
        name = node.name.value
        unit = Unit(node, name, self._qualname(scope, name), scope)
        unit.is_async = node.asynchronous is not None
        unit.is_decorated = bool(node.decorators)
        holder = scope.parent
        if holder is not None and holder.kind is ScopeKind.CLASS:
            unit.class_ = self._classes_by_node[id(holder.node)]
            is_bound_to_class = name in ("__new__", "__init_subclass__")
            unit.syntactic_method = MethodKind.CLASS if is_bound_to_class else MethodKind.INSTANCE
            unit.class_.methods[name] = unit
        self._register(unit, node.params)

    def _add_lambda(self, node: cst.Lambda) -> None:
        scope = self._binder.inner_scopes[id(node)]
        self._register(
            Unit(node, "<lambda>", self._qualname(scope, "<lambda>"), scope), node.params
        )

    def _register(self, unit: Unit, params: cst.Parameters) -> None:
        self.all.append(unit)
        self._by_node[id(unit.node)] = unit
        self._by_scope[id(unit.scope)] = unit
        for form, group in (
            ("positional", params.posonly_params),
            ("either", params.params),
            ("keyword", params.kwonly_params),
        ):
            unit.parameters.extend(Parameter(p.name.value, p, form) for p in group)
        if isinstance(params.star_arg, cst.Param):
            unit.parameters.append(Parameter(params.star_arg.name.value, params.star_arg, "*"))
        if params.star_kwarg is not None:
            unit.parameters.append(Parameter(params.star_kwarg.name.value, params.star_kwarg, "**"))

    def _qualname(self, scope: Scope, name: str) -> str:
        parts = [name]
        outer = scope.parent
        while outer is not None:
            if isinstance(outer.node, (cst.FunctionDef, cst.ClassDef)):
                parts.append(outer.node.name.value)
            outer = outer.parent
        return ".".join(reversed(parts))
