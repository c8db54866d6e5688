"""What is known of a function's parameters: from what it does with them, and from the model."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from tfxla_lint.verify.trees import Function, Tree, attributes_in

if TYPE_CHECKING:
    from tfxla_lint.semantics.model import SemanticModel
    from tfxla_lint.semantics.values import Value

BATCH = 4
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
    return [
        _parameter(function, arg, default, index < len(pairs), known)
        for index, (arg, default) in enumerate([*pairs, *keywords])
    ]


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


def parameters_of_made(function: Function) -> list[dict[str, Any]]:
    """The parameters that a call of a made function has to give."""
    every = [*function.args.posonlyargs, *function.args.args]
    required = every[: len(every) - len(function.args.defaults)]
    return [{**_parameter(function, arg, None, True, {}), "inner": True} for arg in required]


def _is_static(function: Function) -> bool:
    return any(isinstance(d, ast.Name) and d.id == "staticmethod" for d in function.decorator_list)


def _parameter(
    function: Function,
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
    found.update(_uses(function, arg.arg))
    if set(found["attributes"]) >= _NO_TAPE or {"gradient"} == set(found["attributes"]):
        raise NoHints(f"its parameter {arg.arg} is a gradient tape")
    spec = _of_value(known.get(arg.arg)) or _of_annotation(arg.annotation)
    if spec is not None:
        found["spec"] = spec
    return found


def _uses(function: Function, name: str) -> dict[str, Any]:
    """What the function does with one of its parameters."""
    found: dict[str, Any] = {"attributes": [], "keys": []}
    for node in ast.walk(function):
        if isinstance(node, ast.Attribute) and _is_name(node.value, name):
            found["attributes"].append(node.attr)
        elif isinstance(node, ast.Call):
            if _is_name(node.func, name):
                found["called"] = True
            if _is_name(node.func, "range") and any(_is_name(a, name) for a in node.args):
                found["counts"] = True
            if _is_name(node.func, "enumerate") and node.args and _is_name(node.args[0], name):
                found.setdefault("iterated", 1)
        elif isinstance(node, ast.Subscript) and _is_name(node.value, name):
            if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
                found["keys"].append(node.slice.value)
        elif isinstance(node, (ast.For, ast.comprehension)):
            _note_loop(node, name, found)
    return found


def _note_loop(node: ast.For | ast.comprehension, name: str, found: dict[str, Any]) -> None:
    """A loop over the parameter, plain or enumerated: how many values each turn unpacks."""
    target, over = node.target, node.iter
    if isinstance(over, ast.Call) and _is_name(over.func, "enumerate") and over.args:
        over = over.args[0]
        target = target.elts[1] if isinstance(target, ast.Tuple) else target
    while isinstance(over, ast.Call) and isinstance(over.func, ast.Attribute):
        over = over.func.value
    if _is_name(over, name):
        found["iterated"] = len(target.elts) if isinstance(target, ast.Tuple) else 1


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
    }
    if isinstance(node, ast.Attribute) and node.attr == "ndarray":
        return _tensor("numpy", [BATCH, 3], "float32")
    return names.get(node.id) if isinstance(node, ast.Name) else None


def constants_in(tree: Tree) -> list[int]:
    """The whole numbers that the code names: sizes, mostly."""
    found = dict.fromkeys(
        node.value
        for node in ast.walk(tree.module)
        if isinstance(node, ast.Constant) and type(node.value) is int
    )
    return [value for value in found if 1 < value <= 1024]


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
    return [*dict.fromkeys([*found, f"{cls}()", *_guessed_instances(tree, cls)])]


def _guessed_instances(tree: Tree, cls: str) -> list[str]:
    """Calls of the class with small numbers in the place of its plain arguments."""
    init = tree.functions.get(f"{cls}.__init__")
    if init is None:
        return []
    required = init.args.args[1 : len(init.args.args) - len(init.args.defaults)]
    texts = [", ".join([_guess_argument(a.arg, number) for a in required]) for number in ("3", "1")]
    return [f"{cls}({text})" for text in texts]


def _guess_argument(name: str, number: str) -> str:
    if "model" in name or "net" in name:
        return "__import__('tensorflow').keras.Sequential([__import__('tensorflow').keras.layers.Dense(1)])"
    if "optim" in name:
        return "__import__('tensorflow').keras.optimizers.SGD(0.1)"
    if "loss" in name or "criterion" in name:
        return "__import__('tensorflow').keras.losses.MeanSquaredError()"
    return "0.1" if name in ("lr", "learning_rate", "rate", "alpha", "decay") else number


def varied_globals(tree: Tree, name: str) -> list[str]:
    """Globals that the program itself rebinds while it runs, and that the function reads."""
    function = tree.functions[name]
    own = {n for node in ast.walk(function) if isinstance(node, ast.Global) for n in node.names}
    rebound: set[str] = set()
    for other, node in tree.functions.items():
        if other != name:
            for part in ast.walk(node):
                if isinstance(part, ast.Global):
                    rebound.update(part.names)
    for statement in tree.statements:
        if isinstance(statement.node, (ast.For, ast.While)) or statement.is_main_guard:
            rebound |= _stored_names(statement.node)
    reads = {n.id for n in ast.walk(function) if isinstance(n, ast.Name)} - _locals(function)
    return sorted((rebound & reads & tree.bound) - own)


def _stored_names(node: ast.AST) -> set[str]:
    names = (part for part in ast.walk(node) if isinstance(part, ast.Name))
    return {name.id for name in names if isinstance(name.ctx, ast.Store)}


def _locals(function: Function) -> set[str]:
    every = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    return {a.arg for a in every} | _stored_names(function)


def varied_attributes(tree: Tree, name: str) -> list[str]:
    """Attributes of the object that other code than the method and `__init__` assigns."""
    cls, _, method = name.rpartition(".")
    if not cls:
        return []
    assigned: set[str] = set()
    for other, function in tree.functions.items():
        if not other.endswith(".__init__") and other != name:
            assigned |= attributes_in(function, ast.Store)
    for statement in tree.statements:
        if not statement.is_definition:
            assigned |= attributes_in(statement.node, ast.Store)
    own = tree.functions[name]
    return sorted(
        (assigned & attributes_in(own, ast.Load)) - attributes_in(own, ast.Store) - {method}
    )
