"""What is known of a function's parameters: from what it does with them, and from the model."""

from __future__ import annotations

import ast
import contextlib
import functools
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Effect, Trait
from tfxla_lint.verify.bounds import is_of
from tfxla_lint.verify.trees import (
    Function,
    Tree,
    attributes_in,
    bound_names,
    flat,
    names_read,
)

if TYPE_CHECKING:
    from tfxla_lint.semantics.model import SemanticModel
    from tfxla_lint.semantics.values import Value

BATCH = 4
#: So much is nearly nothing.
_TINY = 1e-4
#: So many methods are called before the one that is checked.
_BEFORE = 2
#: So many others are called between two calls of it.
_BETWEEN = 4
#: Through so many functions it is followed what becomes of a parameter.
_FOLLOWED = 6
#: What built-in functions ask of an object.
_SPECIAL = {"len": "__len__", "iter": "__iter__"}
#: What takes the name of a file first.
_OF_PATHS = ("open", "os.path.join")
_NO_TAPE = frozenset({"gradient", "jacobian", "watch"})


class NoHints(Exception):
    """The function cannot be called by its parameters; the message says why."""


def parameters_of(tree: Tree, name: str, model: SemanticModel | None) -> list[dict[str, Any]]:
    """A description of each parameter that a call has to give, as the worker's search reads it."""
    function = tree.functions[name]
    if isinstance(function, ast.AsyncFunctionDef):
        raise NoHints("it is asynchronous")
    arguments = function.args
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(positional) - len(arguments.defaults)) + list(arguments.defaults)
    if "." in name and not _is_static(function):
        positional, defaults = positional[1:], defaults[1:]
    pairs = list(zip(positional, defaults, strict=True))
    keywords = list(zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True))
    known = _known_values(model, name)
    found = [_parameter(function, arg, default, True, known) for arg, default in pairs]
    if arguments.vararg is not None:
        # An annotation is that of each of them.
        each = ast.arg(arguments.vararg.arg, None)
        found.append({**_parameter(function, each, None, True, {}), "star": True})
    found += [_parameter(function, arg, default, False, known) for arg, default in keywords]
    for parameter in found:
        _follow(tree, parameter)
        _finish(tree, parameter)
    return found


def _follow(tree: Tree, found: dict[str, Any]) -> None:
    """Note what the module's own functions do with a parameter that is passed on to them."""
    pending: list[str] = list(found["passed"])
    known: set[tuple[str, str]] = set()
    while pending and len(known) < _FOLLOWED:
        name, _, place = pending.pop(0).rpartition(":")
        if (name, place) in known:
            continue
        known.add((name, place))
        before = len(found["passed"])
        for function, own in _meant(tree, name):
            names = [a.arg for a in (*function.args.posonlyargs, *function.args.args)][own:]
            names = names[int(place) : int(place) + 1] if place.isdigit() else [place]
            for inner in names:
                _note_uses(function, found, functools.partial(_is_named, inner))
        pending += found["passed"][before:]


def _meant(tree: Tree, name: str) -> list[tuple[Function, int]]:
    """The functions that a call may mean by a name, each with how many arguments it is not passed."""
    if name in tree.functions:
        return [(tree.functions[name], 0)]
    owner, _, short = name.rpartition(".")
    methods = [n for n in tree.functions if "." in n and n.endswith(f".{short}")]
    if not owner or not methods:
        return []
    # Methods of one name that take as much mostly do the same for their classes.
    forms = {len(tree.functions[n].args.args) for n in methods}
    return [(tree.functions[n], 1) for n in methods] if len(forms) == 1 else []


def _is_named(name: str, node: ast.AST) -> bool:
    return _is_name(node, name)


def made_function(function: Function) -> Function | None:
    """The function that a function defines and returns, if that is what it does."""
    inner = {n.name: n for n in function.body if isinstance(n, ast.FunctionDef)}
    for node in function.body:
        if isinstance(node, ast.Return):
            value = node.value
            while isinstance(value, ast.Call) and value.args:
                value = value.args[0]
            if isinstance(value, ast.Name) and value.id in inner:
                return inner[value.id]
    return None


def functions_inside(function: Function) -> dict[str, list[dict[str, Any]]]:
    """The parameters of the functions that a function makes, by their names."""
    inner = [n for n in ast.walk(function) if isinstance(n, ast.FunctionDef) and n is not function]
    found = {n.name: parameters_of_made(n) for n in inner}
    bare = [n for n in ast.walk(function) if isinstance(n, ast.Lambda)]
    if len(bare) == 1:
        found["<lambda>"] = parameters_of_made(bare[0])
    return found


def parameters_of_made(function: Function | ast.Lambda) -> list[dict[str, Any]]:
    """The parameters that a call of a made function has to give."""
    every = [*function.args.posonlyargs, *function.args.args]
    required = every[: len(every) - len(function.args.defaults)]
    return [{**_parameter(function, arg, None, True, {}), "inner": True} for arg in required]


def _is_static(function: Function) -> bool:
    return any(isinstance(d, ast.Name) and d.id == "staticmethod" for d in function.decorator_list)


def _parameter(
    function: Function | ast.Lambda,
    arg: ast.arg,
    default: ast.expr | None,
    positional: bool,
    known: dict[str, Value],
) -> dict[str, Any]:
    found: dict[str, Any] = {"name": arg.arg, "positional": positional}
    if default is not None:
        found["default"] = True
        if isinstance(default, ast.Constant):
            found["value"] = default.value
        elif isinstance(default, ast.Tuple):
            numbers = [_number(part) for part in default.elts]
            if None not in numbers:
                found["value"] = numbers
    found.update(attributes=[], keys=[], methods=[], passed=[], of_members=[])
    if isinstance(arg.annotation, ast.Name):
        found["annotated"] = arg.annotation.id
    _note_uses(function, found, lambda node: _is_name(node, arg.arg))
    if set(found["attributes"]) >= _NO_TAPE or {"gradient"} == set(found["attributes"]):
        raise NoHints(f"its parameter {arg.arg} is a gradient tape")
    spec = _of_value(known.get(arg.arg)) or _of_annotation(arg.annotation)
    if spec is not None:
        found["spec"] = spec
    return found


def _number(node: ast.expr) -> bool | int | float | None:
    """The plain number that is written; None where it is none."""
    try:
        value = ast.literal_eval(node)
    except ValueError:
        return None
    return value if isinstance(value, (bool, int, float)) else None


def _note_uses(code: ast.AST, found: dict[str, Any], is_it: Callable[[ast.AST], bool]) -> None:
    """Note what code does with a parameter, which `is_it` tells from other expressions."""
    for node in ast.walk(code):
        if any(isinstance(t, ast.Subscript) and is_it(t.value) for t in _tested(node)):
            found["members_tested"] = True
        if isinstance(node, ast.Attribute) and is_it(node.value):
            found["attributes"].append(node.attr)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Subscript):
            if is_it(node.value.value):
                found["of_members"].append(node.attr)
        elif isinstance(node, ast.BoolOp) and is_it(node.values[0]):
            if isinstance(node.values[-1], (ast.Dict, ast.List, ast.Tuple)):
                found["instead"] = type(node.values[-1]).__name__
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            others = [b for a, b in ((node.left, node.right), (node.right, node.left)) if is_it(a)]
            if any(isinstance(getattr(other, "value", None), str) for other in others):
                found["text"] = True
        elif isinstance(node, ast.Call):
            _note_call(node, found, is_it)
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            if is_it(node.value.func) and isinstance(node.targets[0], ast.Tuple):
                found["returns"] = len(node.targets[0].elts)
        elif isinstance(node, ast.Subscript) and is_it(node.value):
            if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
                found["keys"].append(node.slice.value)
            _note_index(node.slice, found)
        elif isinstance(node, (ast.For, ast.comprehension)):
            _note_loop(node, found, is_it)


def _tested(node: ast.AST) -> list[ast.expr]:
    """The expressions whose truth a node asks for."""
    if isinstance(node, (ast.If, ast.While, ast.IfExp, ast.Assert)):
        return [node.test]
    if isinstance(node, ast.BoolOp):
        return node.values
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return [node.operand]
    return node.ifs if isinstance(node, ast.comprehension) else []


def _note_call(node: ast.Call, found: dict[str, Any], is_it: Callable[[ast.AST], bool]) -> None:
    function = ast.unparse(node.func)
    if is_it(node.func):
        found["called"] = True
        if not node.args and not node.keywords:
            found["called_bare"] = True
    if isinstance(node.func, ast.Attribute) and is_it(node.func.value):
        found["methods"].append(node.func.attr)
    for place, part in enumerate(node.args):
        if is_it(part):
            found["passed"].append(f"{function}:{place}")
            if function.endswith("matvec") and place == 1:
                found.setdefault("rank", 1)
        elif isinstance(part, ast.Starred) and is_it(part.value):
            found["passed"].append(f"{function}:*")
    found["passed"] += [f"{function}:{k.arg}" for k in node.keywords if is_it(k.value)]
    if function in _OF_PATHS and node.args and is_it(node.args[0]):
        found["text"] = True
    if function == "range" and any(map(is_it, node.args)):
        found["counts"] = True
    if len(node.args) == 1 and is_it(node.args[0]) and is_of(node, Trait.GOES_THROUGH):
        found.setdefault("iterated", 1)


def _note_index(index: ast.expr, found: dict[str, Any]) -> None:
    """How many dimensions a subscript tells of, and that members behind a place are asked for.

    Who gives `x[:, None]` a further dimension has only the others that stand there.
    """
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    whole = [part for part in parts if isinstance(part, ast.Slice)]
    is_new = [isinstance(part, ast.Constant) and part.value is None for part in parts]
    if any(is_new) and len(whole) + sum(is_new) == len(parts):
        found.setdefault("rank", len(whole))
    is_sum = isinstance(parts[0], ast.BinOp) and isinstance(parts[0].op, ast.Add)
    if is_sum and type(_number(parts[0].right)) is int:  # type: ignore[attr-defined]
        found["longer"] = max(found.get("longer", 0), _number(parts[0].right))  # type: ignore[attr-defined]


def _note_loop(
    node: ast.For | ast.comprehension, found: dict[str, Any], is_it: Callable[[ast.AST], bool]
) -> None:
    """A loop over the parameter, plain or enumerated: how many values each turn unpacks."""
    target, over = node.target, node.iter
    if isinstance(over, ast.Call) and _is_name(over.func, "enumerate") and over.args:
        over = over.args[0]
        target = target.elts[1] if isinstance(target, ast.Tuple) else target
    if isinstance(over, ast.Call) and _is_name(over.func, "zip"):
        places = [place for place, part in enumerate(over.args) if is_it(part)]
        if places and isinstance(target, ast.Tuple) and places[0] < len(target.elts):
            over, target = over.args[places[0]], target.elts[places[0]]
    if is_it(over) and isinstance(target, ast.Name) and isinstance(node, ast.For):
        parts = [part for statement in node.body for part in ast.walk(statement)]
        members = (part for part in parts if isinstance(part, ast.Attribute))
        found["of_members"] += [m.attr for m in members if _is_name(m.value, target.id)]
    while isinstance(over, ast.Subscript) or (
        isinstance(over, ast.Call) and isinstance(over.func, ast.Attribute)
    ):
        over = over.value if isinstance(over, ast.Subscript) else over.func.value  # type: ignore[attr-defined]
    if is_it(over):
        found["iterated"] = len(target.elts) if isinstance(target, ast.Tuple) else 1


def _finish(tree: Tree, found: dict[str, Any]) -> None:
    """Say which classes of the module have all that is asked of the parameter."""
    used = set(found["attributes"])
    found["own"] = [name for name in tree.classes if used and used <= _members(tree, name)]
    records = records_of(tree)
    for name, fields in records.items():
        is_asked = name == found.get("annotated") or (used and used <= {f["name"] for f in fields})
        if is_asked:
            found["record"] = {"class": name, "fields": fields}
            found["own"] = [other for other in found["own"] if other not in records]
    if found.get("annotated") in set(tree.classes) - set(records):
        found["own"].insert(0, found["annotated"])
    if found.get("called"):
        found["callable"] = [n for n in tree.classes if f"{n}.__call__" in tree.functions]


@functools.lru_cache(maxsize=8)
def records_of(tree: Tree) -> dict[str, list[dict[str, Any]]]:
    """The classes of the module that only name their fields, with what is done with each of these."""
    found: dict[str, list[tuple[str, ast.expr | None]]] = {}
    for statement in flat(tree.module.body):
        if isinstance(statement, ast.ClassDef) and _is_of_fields(statement):
            parts = [node for node in statement.body if isinstance(node, ast.AnnAssign)]
            rows = [(p.target.id, p.annotation) for p in parts if isinstance(p.target, ast.Name)]
            found[statement.name] = list(rows)
        elif isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call):
            names = _named_fields(statement.value)
            if names and isinstance(statement.targets[0], ast.Name):
                found[statement.targets[0].id] = [(name, None) for name in names]
    return {
        name: [_field(tree, field, annotation) for field, annotation in rows]
        for name, rows in found.items()
        if rows
    }


def _is_of_fields(node: ast.ClassDef) -> bool:
    """Whether a class is made by what it calls its fields: a data class, or a named tuple."""
    parts = [*node.decorator_list, *node.bases]
    words = {_word(part.func if isinstance(part, ast.Call) else part) for part in parts}
    methods = {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
    return bool(words & {"dataclass", "NamedTuple"}) and "__init__" not in methods


def _named_fields(call: ast.Call) -> list[str]:
    """The fields that a call for a named tuple names."""
    if _word(call.func) not in ("namedtuple", "NamedTuple") or len(call.args) < 2:
        return []
    try:
        told = ast.literal_eval(call.args[1])
    except ValueError:
        pairs = call.args[1].elts if isinstance(call.args[1], (ast.List, ast.Tuple)) else []
        rows = [pair.elts[0] for pair in pairs if isinstance(pair, ast.Tuple) and pair.elts]
        return [str(row.value) for row in rows if isinstance(row, ast.Constant)]
    return told.replace(",", " ").split() if isinstance(told, str) else list(map(str, told))


def _word(node: ast.expr) -> str:
    return str(getattr(node, "attr", getattr(node, "id", "")))


def _field(tree: Tree, name: str, annotation: ast.expr | None) -> dict[str, Any]:
    """What is done with a field, of whatever object: where it is read by its name."""
    found: dict[str, Any] = {"name": name}
    found.update(attributes=[], keys=[], methods=[], passed=[], of_members=[])
    _note_uses(tree.module, found, functools.partial(_is_read_as, name))
    spec = _of_annotation(annotation)
    return {**found, "spec": spec} if spec is not None else found


def _is_read_as(name: str, node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == name


def _members(tree: Tree, name: str) -> set[str]:
    """What objects of a class have: its methods, what it names, and what its methods assign."""
    every = [tree.classes[name], *_bases(tree, name)]
    return {m for n in every for m in (*bound_names(n.body), *attributes_in(n, ast.Store))}


def _is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _known_values(model: SemanticModel | None, name: str) -> dict[str, Value]:
    if model is None:
        return {}
    for unit in model.units.all:
        if unit.qualname == name:
            return {parameter.name: parameter.value for parameter in unit.parameters}
    return {}


def _of_value(value: Value | None) -> dict[str, Any] | None:
    """A description for what the model's evidence makes certain."""
    if value is None:
        return None
    from tfxla_lint.semantics.values import Kind

    if value.kind in (Kind.TENSOR, Kind.NDARRAY) and value.shape is not None and value.dtype:
        if Ellipsis in value.shape:
            return None
        shape = [
            d if isinstance(d, int) else (BATCH if i == 0 else 3) for i, d in enumerate(value.shape)
        ]
        kind = "tensor" if value.kind is Kind.TENSOR else "numpy"
        return _tensor(kind, shape, str(value.dtype))
    if value.kind is Kind.BOOL:
        return {"k": "bool", "value": value.constant if value.has_constant else True}
    return None


def _tensor(kind: str, shape: list[int], dtype: str) -> dict[str, Any]:
    low, high = (-2.0, 2.0) if dtype.startswith(("float", "bfloat", "complex")) else (0, 2)
    return {"k": kind, "shape": shape, "dtype": dtype, "low": low, "high": high}


def _of_annotation(node: ast.expr | None) -> dict[str, Any] | None:
    names: dict[str, dict[str, Any]] = {
        "int": {"k": "int"},
        "float": {"k": "float"},
        "bool": {"k": "bool", "value": True},
        "str": {"k": "text", "value": "the cat sat"},
    }
    if isinstance(node, ast.Attribute) and node.attr == "ndarray":
        return _tensor("numpy", [BATCH, 3], "float32")
    text = ast.unparse(node) if node is not None else ""
    if text.rpartition(".")[2] in ("List[str]", "list[str]") or text.endswith("Sequence[str]"):
        return {"k": "list", "parts": [{"k": "text", "place": place} for place in range(6)]}
    if text.partition("[")[0].rpartition(".")[2] in ("Dict", "dict"):
        value = _tensor("tensor", [BATCH, 3], "float32")
        return {"k": "dict", "parts": {"a": value, "b": value}}
    return names.get(text)


def constants_in(tree: Tree) -> list[int]:
    """The whole numbers that the code names: sizes, mostly."""
    found = dict.fromkeys(
        node.value
        for node in ast.walk(tree.module)
        if isinstance(node, ast.Constant) and type(node.value) is int
    )
    return [value for value in found if 1 < value <= 1024]


def has_negatives(tree: Tree) -> bool:
    """Whether code names a whole number below zero, or asks whether something is below it."""
    for node in ast.walk(tree.module):
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            if type(getattr(node.operand, "value", None)) is int:
                return True
        if isinstance(node, ast.Call) and _is_name(node.func, "abs"):
            return True
        if isinstance(node, ast.Compare) and not isinstance(node.ops[0], (ast.Eq, ast.NotEq)):
            if any(
                type(n.value) is int and n.value == 0
                for n in ast.walk(node)
                if isinstance(n, ast.Constant)
            ):
                return True
    return False


def has_tiny(tree: Tree) -> bool:
    """Whether code names a number that is nearly nothing: it matters beside such values only."""
    values = (node.value for node in ast.walk(tree.module) if isinstance(node, ast.Constant))
    return any(type(value) is float and 0 < abs(value) <= _TINY for value in values)


def instances_of(tree: Tree, name: str) -> list[str]:
    """Expressions that may give the object whose method is to be called."""
    cls = name.partition(".")[0]
    if name.endswith(".__init__"):
        raise NoHints("it makes an object, and no program was given that does")
    function = tree.functions[name]
    decorators = {d.id for d in function.decorator_list if isinstance(d, ast.Name)}
    if decorators & {"staticmethod", "classmethod"}:
        return [cls]
    found: list[str] = []
    for statement in tree.statements:
        node = statement.node
        made = isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
        if made and isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            if _is_name(node.value.func, cls) and isinstance(node.targets[0], ast.Name):
                found.append(node.targets[0].id)
    for part in ast.walk(tree.module):
        if isinstance(part, ast.Call) and _is_name(part.func, cls):
            found.append(ast.unparse(part))
    return [*dict.fromkeys([*found, f"{cls}()"])]


def makers_of(tree: Tree) -> dict[str, list[dict[str, Any]]]:
    """For each class of the module what making an object of it asks for.

    What a method does with an attribute says what the parameter is that `__init__` puts there.
    """
    found: dict[str, list[dict[str, Any]]] = {}
    for name, node in tree.classes.items():
        makers = (c.name for c in (node, *_bases(tree, name)))
        maker = next((c for c in makers if f"{c}.__init__" in tree.functions), None)
        if maker is None:
            found[name] = []
            continue
        try:
            parameters = parameters_of(tree, f"{maker}.__init__", None)
        except NoHints:
            continue
        kept = _kept_in(tree, maker)
        for parameter in parameters:
            for attribute in kept.get(parameter["name"], ()):
                for code in (node, *_bases(tree, name)):
                    _note_uses(code, parameter, functools.partial(_is_own, attribute))
            _finish(tree, parameter)
        found[name] = parameters
    return found


def classes_asked(parameters: Iterable[dict[str, Any]]) -> set[str]:
    """The classes of the module of which arguments are to be objects."""
    found: set[str] = set()
    for parameter in parameters:
        record = parameter.get("record", {})
        found |= {*parameter.get("own", ()), *([record["class"]] if record else [])}
        found |= classes_asked(record.get("fields", ()))
    return found


def _bases(tree: Tree, name: str) -> list[ast.ClassDef]:
    """The classes of the module that a class derives from, the nearest first."""
    found: list[ast.ClassDef] = []
    pending = [*tree.classes[name].bases]
    while pending:
        base = tree.classes.get(getattr(pending.pop(0), "id", ""))
        if base is not None and base not in found:
            found.append(base)
            pending += base.bases
    return found


def _kept_in(tree: Tree, name: str) -> dict[str, list[str]]:
    """The attributes that hold each parameter of a class, also of those that it passes to its base."""
    init = tree.functions[f"{name}.__init__"]
    found = _kept_as(init)
    inits = (
        (base.name, tree.functions.get(f"{base.name}.__init__")) for base in _bases(tree, name)
    )
    above, theirs = next(((n, i) for n, i in inits if i is not None), ("", None))
    if theirs is None or above == name:
        return found
    known = _kept_in(tree, above)
    order = [a.arg for a in theirs.args.args][1:]
    for node in ast.walk(init):
        # `super().__init__(...)`
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "super().__init__":
            passed = [
                *zip(order, node.args, strict=False),
                *((k.arg, k.value) for k in node.keywords),
            ]
            for parameter, value in passed:
                if isinstance(value, ast.Name) and parameter is not None:
                    found.setdefault(value.id, []).extend(known.get(parameter, ()))
    return found


def _kept_as(init: Function) -> dict[str, list[str]]:
    """The attributes that hold each parameter."""
    found: dict[str, list[str]] = {}
    for node in ast.walk(init):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                pairs = [(target, node.value)]
                if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                    pairs = list(zip(target.elts, node.value.elts, strict=False))
                for part, value in pairs:
                    if isinstance(value, ast.Call) and len(value.args) == 1:
                        # A list of what it is given.
                        is_listed = _is_name(value.func, "list") or _is_name(value.func, "tuple")
                        value = value.args[0] if is_listed else value
                    if isinstance(part, ast.Attribute) and isinstance(value, ast.Name):
                        found.setdefault(value.id, []).append(part.attr)
    return found


def _is_own(attribute: str, node: ast.AST) -> bool:
    is_self = isinstance(node, ast.Attribute) and _is_name(node.value, "self")
    return is_self and isinstance(node, ast.Attribute) and node.attr == attribute


def methods_before(tree: Tree, name: str) -> dict[str, list[dict[str, Any]]]:
    """Other methods that put something into the object that the method reads; what they ask for."""
    cls, _, method = name.rpartition(".")
    reads = attributes_in(tree.functions[name], ast.Load)
    inner = [tree.functions[f"{cls}.{n}"] for n in reads if f"{cls}.{n}" in tree.functions]
    reads = reads.union(*(attributes_in(function, ast.Load) for function in inner))
    for special, method_ in _SPECIAL.items():
        if (
            cls
            and f"{cls}.{method_}" in tree.functions
            and special in names_read(tree.functions[name])
        ):
            reads |= attributes_in(tree.functions[f"{cls}.{method_}"], ast.Load)
    if not reads:
        # What it sets must hold something else before.
        reads = attributes_in(tree.functions[name], ast.Store)
    found: dict[str, list[dict[str, Any]]] = {}
    for other, function in tree.functions.items():
        owner, _, short = other.rpartition(".")
        if not cls or owner != cls or short == method or short.startswith("__"):
            continue
        stored = attributes_in(function, ast.Store) - _set_only(tree, cls, function)
        stored |= _updated(function)
        # What is only switched shows when it is switched between two calls.
        stored -= _switched(function)
        # Compiling a model is not for this.
        is_filled = bool(stored & reads) and not function.decorator_list and short != "compile"
        if is_filled and len(found) < _BEFORE:
            with contextlib.suppress(NoHints):
                found[other] = parameters_of(tree, other, None)
    return found


def _set_only(tree: Tree, cls: str, function: Function) -> set[str]:
    """The attributes that a method only sets to what it is passed, and that hold something before."""
    init = tree.functions.get(f"{cls}.__init__")
    assigned = [n for n in ast.walk(init) if isinstance(n, ast.Assign)] if init is not None else []
    known = {
        target.attr
        for node in assigned
        for target in node.targets
        if isinstance(target, ast.Attribute)
        and isinstance(node.value, ast.Constant)
        and node.value.value is not None
    }
    return known & {attribute for kept in _kept_as(function).values() for attribute in kept}


def _switched(function: Function) -> set[str]:
    """The attributes that a function only sets to constants, or to empty containers."""
    stored: set[str] = set()
    others: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            value = node.value
            is_empty = (
                isinstance(value, (ast.List, ast.Dict))
                and not list(ast.iter_child_nodes(value))[1:]
            )
            is_plain = isinstance(value, ast.Constant) or is_empty
            (stored if is_plain else others).update(
                t.attr for t in node.targets if isinstance(t, ast.Attribute)
            )
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Attribute):
            others.add(node.target.attr)
    return stored - others


def methods_between(tree: Tree, name: str) -> dict[str, list[dict[str, Any]]]:
    """Other methods that other code may call between two calls of one, as it reads what they change."""
    cls, _, method = name.rpartition(".")
    reached = [name, *(f"{cls}.{n}" for n in attributes_in(tree.functions[name], ast.Load))]
    codes = [tree.functions[n] for n in reached if n in tree.functions]
    reads = set().union(*(attributes_in(code, ast.Load) for code in codes))
    found: dict[str, list[dict[str, Any]]] = {}
    for other, function in tree.functions.items() if cls else ():
        owner, _, short = other.rpartition(".")
        if owner != cls or short in (method, "compile") or short.startswith("_"):
            continue
        is_plain = not any(
            isinstance(d, (ast.Name, ast.Attribute)) for d in function.decorator_list
        )
        stored = attributes_in(function, ast.Store) | _updated(function)
        if is_plain and stored & reads and len(found) < _BETWEEN:
            with contextlib.suppress(NoHints):
                found[other] = parameters_of(tree, other, None)
    return found


def periods_of(tree: Tree, name: str) -> list[str | int]:
    """By what the function divides to find every so many-th call: attributes, globals, numbers."""
    rests = [n.right for n in ast.walk(tree.functions[name]) if _is_rest(n)]  # type: ignore[attr-defined]
    found: list[str | int] = [n.attr for n in rests if isinstance(n, ast.Attribute)]
    found += [n.id for n in rests if isinstance(n, ast.Name)]
    return found + [n.value for n in rests if isinstance(n, ast.Constant) and type(n.value) is int]


def _is_rest(node: ast.AST) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod)


def _updated(function: Function) -> set[str]:
    """The attributes whose objects a function changes by a method: `self.total.assign_add(x)`."""
    known = behaviour.methods(Effect.ASSIGNS) | behaviour.methods(Effect.MUTATES)
    calls = [node.func for node in ast.walk(function) if isinstance(node, ast.Call)]
    changing = [f.value for f in calls if isinstance(f, ast.Attribute) and f.attr in known]
    parts = (node for node in ast.walk(function) if isinstance(node, ast.Subscript))
    changing += [part.value for part in parts if not isinstance(part.ctx, ast.Load)]
    return {value.attr for value in changing if isinstance(value, ast.Attribute)}
