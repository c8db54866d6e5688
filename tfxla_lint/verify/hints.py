"""What is known of a function's parameters: from what it does with them, and from the model."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from tfxla_lint.verify.documented import (
    docstring_of,
    documented_classes,
    documented_dimensions,
    documented_lists,
    documented_shapes,
)
from tfxla_lint.verify.fitting import sizes_around
from tfxla_lint.verify.told import ordered_columns, told_limits, told_values
from tfxla_lint.verify.trees import Function, Tree, attributes_in, bound_names, flat, pairs_of
from tfxla_lint.verify.uses import is_name, note_uses, number_of

if TYPE_CHECKING:
    from tfxla_lint.semantics.model import SemanticModel
    from tfxla_lint.semantics.values import Value

BATCH = 4
#: What a number is that nobody gives an example of, and as much as makes arrays too long.
_USUAL, _MUCH = 3, 20
#: Through so many functions it is followed what becomes of a parameter.
_FOLLOWED = 6
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
    needed = [p["name"] for p in found if not p.get("default")]
    names = [p["name"] for p in found]
    told = documented_shapes(docstring_of(function), names, _only(needed))
    owner = tree.classes.get(name.rpartition(".")[0])
    if owner is not None and not docstring_of(function) and len(needed) == 1:
        # What a class says of is mostly what its methods are given.
        told = documented_shapes(docstring_of(owner), needed)
    # What a module says of it says of all that take it by that name.
    about = ast.get_docstring(tree.module) or ""
    rest = [n for n in needed if n not in told and n.removesuffix("s").lower() in about.lower()]
    told = {**documented_shapes(about, rest), **told} if len(about) > 1 else told
    texts = (docstring_of(function), about)
    iterated = [p["name"] for p in found if p.get("iterated") and p["name"] in needed]
    own = documented_lists(texts[0], names, _only(iterated))
    others = [docstring_of(f) for n, f in tree.functions.items() if n != name]
    listed = {
        **_agreed(documented_lists(text, names) for text in others),
        **documented_lists(about, names),
        **own,
    }
    values = told_values((*texts, *map(docstring_of, tree.classes.values()), *others), names)
    columns = ordered_columns(texts)
    limits = told_limits(texts[0], names, documented_dimensions(texts[0], told))
    for parameter in found:
        if parameter["name"] in listed:
            parameter["listed"] = listed[parameter["name"]]
        elif any(parameter["name"] == row.get("most") for row in listed.values()):
            parameter["limits"] = True
        parameter["within"] = sizes_around(function, parameter["name"])
        _follow(tree, parameter)
        _note_siblings(tree, name, parameter)
        finish(tree, parameter)
        if parameter.get("called"):
            # Of a function shapes say what it takes, and what it gives.
            parameter["classes"] = any(documented_classes(t, parameter["name"]) for t in texts)
        elif parameter["name"] in told:
            parameter["documented"] = told[parameter["name"]]
            ordered = columns.get(told[parameter["name"]]["shape"][-1])
            if ordered:
                parameter["documented"]["ordered"] = ordered
            named = [p for p in found if p["name"] == parameter["documented"].pop("or", "")]
            if named and type(named[0].get("value")) is int:
                parameter["documented"]["member"] = named[0]["value"]
        parameter["told"] = values.get(parameter["name"], {})
        if parameter["name"] in limits:
            parameter["not_beyond"] = limits[parameter["name"]]
            _make_room(parameter, values)
        parameter["words"] += parameter["told"].get("words", ())
    return found


def _make_room(parameter: dict[str, Any], values: Mapping[str, dict[str, Any]]) -> None:
    """Have an array be as long as is said: so many times what another parameter is, as an example says."""
    other, times = parameter["not_beyond"].get("times", ("", 0))
    example = values.get(other, {}).get("example", _USUAL)
    if other and "documented" in parameter and type(example) is int and example < _MUCH:
        shape = parameter["documented"]["shape"]
        parameter["documented"] = {
            **parameter["documented"],
            # Later calls pass larger ones.
            "shape": [max(shape[0], times * (example + 2 * _USUAL)), *shape[1:]],
        }


def _agreed(rows: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """What is said of each name, where all who say anything of it say the same."""
    found: dict[str, Any] = {}
    unsure: set[str] = set()
    for row in rows:
        unsure |= {name for name, said in row.items() if found.setdefault(name, said) != said}
    return {name: said for name, said in found.items() if name not in unsure}


def _only(names: list[str]) -> str:
    """The only one of some names; "" where there are others, or none."""
    return names[0] if len(names) == 1 else ""


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
                note_uses(function, found, functools.partial(_is_named, inner))
        pending += found["passed"][before:]


def _note_siblings(tree: Tree, name: str, found: dict[str, Any]) -> None:
    """Note what other methods of a class show of a parameter that they take, too."""
    owner = name.rpartition(".")[0]
    for other, function in tree.functions.items() if owner else ():
        given = {part.arg for part in (*function.args.args, *function.args.kwonlyargs)}
        if other == name or other.rpartition(".")[0] != owner or found["name"] not in given:
            continue
        its: dict[str, Any] = {key: [] for key, value in found.items() if isinstance(value, list)}
        note_uses(function, its, functools.partial(_is_named, found["name"]))
        if len(its.get("indexed", ())) > len(found.get("indexed", ())):
            found["indexed"] = its["indexed"]
        found.update({key: True for key in ("counted", "places") if its.get(key)})


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
    return is_name(node, name)


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


def gives_number(function: Function) -> bool:
    """Whether a function returns nothing but what it adds up from numbers that it begins with."""
    begun: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            begun |= {p.id for p, v in pairs_of(node) if isinstance(p, ast.Name) and _is_number(v)}
    given = [n.value for n in ast.walk(function) if isinstance(n, ast.Return)]
    return any(isinstance(v, (ast.Name, ast.BinOp)) for v in given) and all(
        value is not None and _is_of_numbers(value, begun) for value in given
    )


def _is_number(value: ast.expr) -> bool:
    if isinstance(value, ast.Call) and value.args and not value.keywords:
        # A tensor of one: `tf.constant(0.0)`.
        is_made = getattr(value.func, "attr", "") == "constant"
        return is_made and number_of(value.args[0]) is not None
    return number_of(value) is not None


def _is_of_numbers(value: ast.expr, begun: set[str]) -> bool:
    if isinstance(value, ast.BinOp):
        return _is_of_numbers(value.left, begun) and _is_of_numbers(value.right, begun)
    if isinstance(value, ast.IfExp):
        return _is_of_numbers(value.body, begun) and _is_of_numbers(value.orelse, begun)
    if isinstance(value, ast.Call):
        if is_name(value.func, "len") or is_name(value.func, "float"):
            return True
        is_plain = bool(value.args) and not value.keywords
        return is_plain and all(_is_of_numbers(part, begun) for part in value.args)
    return _is_number(value) or (isinstance(value, ast.Name) and value.id in begun)


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
            numbers = [number_of(part) for part in default.elts]
            if None not in numbers:
                found["value"] = numbers
    found.update(attributes=[], keys=[], methods=[], passed=[], of_members=[])
    if isinstance(arg.annotation, ast.Name):
        found["annotated"] = arg.annotation.id
    note_uses(function, found, lambda node: is_name(node, arg.arg))
    if set(found["attributes"]) >= _NO_TAPE or {"gradient"} == set(found["attributes"]):
        raise NoHints(f"its parameter {arg.arg} is a gradient tape")
    spec = _of_value(known.get(arg.arg)) or _of_annotation(arg.annotation)
    words = found["words"] = _words_for(function, arg.arg)
    if words and (spec is None or spec["k"] == "text") and default is None:
        spec = {"k": "word", "value": words[0]}
    elif (
        spec is not None and spec["k"] == "text" and (words or isinstance(found.get("value"), str))
    ):
        # What is left out as one word is another word, and no text.
        spec = None
    if spec is not None:
        found["spec"] = spec
    return found


def _words_for(function: Function | ast.Lambda, name: str) -> list[str]:
    """The words that a function holds a parameter against: `reduce == "mean"`, `mode in ("a", "b")`."""
    found: list[str] = []
    for node in ast.walk(function):
        if isinstance(node, ast.Compare) and is_name(node.left, name):
            parts = [p for c in node.comparators for p in [c, *getattr(c, "elts", ())]]
            found += [
                p.value for p in parts if isinstance(p, ast.Constant) and type(p.value) is str
            ]
    return list(dict.fromkeys(found))


def finish(tree: Tree, found: dict[str, Any]) -> None:
    """Say which classes of the module have all that is asked of the parameter."""
    used = set(found["attributes"])
    found["own"] = [name for name in tree.classes if used and used <= _members(tree, name)]
    # A class that others are made of may lack what these have.
    bases = {base.name for name in tree.classes for base in bases_of(tree, name)}
    found["own"].sort(key=lambda name: name in bases)
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
    note_uses(tree.module, found, functools.partial(_is_read_as, name))
    spec = _of_annotation(annotation)
    return {**found, "spec": spec} if spec is not None else found


def _is_read_as(name: str, node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == name


def _members(tree: Tree, name: str) -> set[str]:
    """What objects of a class have: its methods, what it names, and what its methods assign."""
    every = [tree.classes[name], *bases_of(tree, name)]
    return {m for n in every for m in (*bound_names(n.body), *attributes_in(n, ast.Store))}


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


def bases_of(tree: Tree, name: str) -> list[ast.ClassDef]:
    """The classes of the module that a class derives from, the nearest first."""
    found: list[ast.ClassDef] = []
    pending = [*tree.classes[name].bases]
    while pending:
        base = tree.classes.get(getattr(pending.pop(0), "id", ""))
        if base is not None and base not in found:
            found.append(base)
            pending += base.bases
    return found
