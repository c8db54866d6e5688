"""How tests, examples, docstrings and other files of the project call a function: code to repeat.

A recipe is a call, and the statements that make what it is called with. Only calls that need nothing
else are taken: no parameter without a default, unless the file says what is passed; of loops the first turn.
"""

from __future__ import annotations

import ast
import builtins
import copy
import doctest
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tfxla_lint.knowledge.xla import BY_CALLING
from tfxla_lint.verify.pairs import Pair, package_of
from tfxla_lint.verify.project import files_beside, text_of
from tfxla_lint.verify.trees import (
    FUNCTIONS,
    UNPARSED,
    Function,
    Tree,
    bound_names,
    is_generator,
    pairs_of,
)

#: What the module under check is called in a recipe.
MODULE_NAME = "__txl_module__"
#: What an object is called that is not set up yet.
_EMPTY = "__txl_empty__"
#: So many are repeated.
_MOST = 4
_OWN = "a docstring"
#: How the methods begin that test runners call before a test, in small letters.
_BEFORE = "setup"
_IMPORTS = (ast.Import, ast.ImportFrom)


@dataclass(frozen=True)
class Recipe:
    """A call, the statements that come before it, and where it stands."""

    setup: str
    call: str
    place: str


def recipes_for(pair: Pair, unit: str) -> list[Recipe]:
    """How the function `unit` of the original is called elsewhere; what sets an object up by making one."""
    owner, _, short = unit.rpartition(".")
    if owner and short == "__init__":
        return [_on_an_empty_object(recipe) for recipe in recipes_for(pair, owner)]
    found: list[Recipe] = []
    own = Tree(pair.original).bound
    for place, text in _texts(pair, unit):
        known = own if place == _OWN else set()
        try:
            found += _in_text(text, place, pair.path, unit, known)
        except UNPARSED:
            continue
        if len(found) >= _MOST:
            break
    return found[:_MOST]


def objects_for(pair: Pair, cls: str) -> list[str]:
    """How other code makes objects of a class of the original, where the original can say it, too."""
    tree = Tree(pair.original)
    found = []
    for recipe in recipes_for(pair, cls):
        call = ast.parse(recipe.call, mode="eval").body
        assert isinstance(call, ast.Call)
        call.func = ast.Name(cls, ast.Load())
        setup = [s for s in ast.parse(recipe.setup).body if not isinstance(s, _IMPORTS)]
        needed = _free(call) - set(vars(builtins))
        if needed <= tree.bound and not needed & set(bound_names(setup)):
            found.append(ast.unparse(call))
    return found


def _on_an_empty_object(recipe: Recipe) -> Recipe:
    """The call that makes an object as one that sets it up: what it holds then is compared."""
    call = ast.parse(recipe.call, mode="eval").body
    assert isinstance(call, ast.Call)
    cls = ast.unparse(call.func)
    call.func = ast.Attribute(ast.Name(_EMPTY, ast.Load()), "__init__", ast.Load())
    setup = f"{recipe.setup}\n{_EMPTY} = {cls}.__new__({cls})".lstrip("\n")
    return Recipe(setup, ast.unparse(call), recipe.place)


def _texts(pair: Pair, unit: str) -> Iterator[tuple[str, str]]:
    """Code that may call it: of docstrings, then of files, those of tests first."""
    for node in ast.walk(ast.parse(pair.original)):
        if isinstance(node, (ast.Module, ast.ClassDef, *FUNCTIONS)):
            examples = doctest.DocTestParser().get_examples(ast.get_docstring(node) or "")
            if examples:
                yield _OWN, "".join(example.source for example in examples)
    owner, _, short = unit.rpartition(".")
    short = owner if short in BY_CALLING else short
    files = sorted(files_beside(pair.path), key=lambda path: "test" not in path.name)
    for path in files:
        text = "" if path == pair.path else text_of(path)
        if short in text and pair.path.stem in text:
            yield path.name, text


def _in_text(text: str, place: str, path: Path, unit: str, known: set[str]) -> Iterator[Recipe]:
    """The calls in a text that may use the names `known` without an import."""
    tree = ast.parse(text)
    imports = _Imports(path)
    top = [imports.rewritten(node) for node in tree.body]
    functions = [n for n in ast.walk(tree) if isinstance(n, FUNCTIONS)]
    bodies = [(None, top), *((function, _body(function, imports)) for function in functions)]
    classes = [node for node in top if isinstance(node, ast.ClassDef)]
    for function, body in bodies:
        around = [] if function is None else [n for n in top if _is_around(n, function)]
        given = [] if function is None else list(_given(function, top))
        given += [s for cls in classes if function in cls.body for s in _object_of(cls, function)]
        for before, statement in _reached(body, [*around, *given]):
            calls = _calls_of(statement, unit, imports)
            for call in (*calls, *_calls_on(statement, before, unit, imports)):
                setup = _needed(before, call, known)
                recipe = Recipe(_text(setup or []), ast.unparse(call), place)
                if setup is not None and unit.partition(".")[0] in recipe.setup + recipe.call:
                    yield recipe


def _reached(
    body: Sequence[ast.stmt], before: Sequence[ast.stmt]
) -> Iterator[tuple[list[ast.stmt], ast.stmt]]:
    """The statements that a run comes to, with those before them; of a loop those of its first turn."""
    for index, statement in enumerate(body):
        known = [*before, *body[:index]]
        if isinstance(statement, ast.For):
            first = ast.Call(ast.Name("iter", ast.Load()), [statement.iter], [])
            first = ast.Call(ast.Name("next", ast.Load()), [first], [])
            yield known, ast.Expr(statement.iter)
            known.append(ast.Assign([statement.target], first, lineno=0))
            yield from _reached(statement.body, known)
        elif not isinstance(statement, (*FUNCTIONS, ast.ClassDef, ast.While)):
            yield known, statement


def _given(function: Function, top: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """What a test is passed: what functions of its file make that are called as its parameters are.

    Of those that a decorator gives several values for it is the first.
    """
    asked = {arg.arg for arg in function.args.args}
    for maker in top:
        if not isinstance(maker, FUNCTIONS) or not maker.decorator_list or maker.name not in asked:
            continue
        if not any(isinstance(p, ast.arg) for p in ast.walk(maker.args)):
            plain = copy.copy(maker)
            plain.decorator_list = []
            made = f"next({maker.name}())" if is_generator(maker) else f"{maker.name}()"
            yield plain
            yield _assigned(maker.name, made)
    for decorator in function.decorator_list:
        parts = decorator.args[:2] if isinstance(decorator, ast.Call) else []
        if len(parts) == 2 and isinstance(parts[1], (ast.List, ast.Tuple)) and parts[1].elts:
            names = getattr(parts[0], "value", None)
            words = names.replace(",", " ").split() if isinstance(names, str) else []
            if words and asked.issuperset(words):
                yield _assigned(", ".join(words), ast.unparse(parts[1].elts[0]))


def _object_of(cls: ast.ClassDef, test: Function) -> list[ast.stmt]:
    """What makes the object that a test is a method of, and what is called on it before."""
    if not test.args.args:
        return []
    name = test.args.args[0].arg
    own = [s.name for s in cls.body if isinstance(s, FUNCTIONS)]
    # Those of `unittest` are made of the name of a test.
    made = _assigned(name, f"{cls.name}({test.name!r})" if cls.bases else f"{cls.name}()")
    before = [m for m in own if m.lower().startswith(_BEFORE) and m != test.name]
    before.sort(key=lambda method: "class" not in method.lower())
    return [made, *(ast.parse(f"{name}.{m}()").body[0] for m in before)]


def _is_around(statement: ast.stmt, function: Function) -> bool:
    """Whether code of a function may mean what a statement of its module makes."""
    given = {part.arg for part in ast.walk(function.args) if isinstance(part, ast.arg)}
    if given & set(bound_names([statement])) or isinstance(statement, ast.If):
        return False
    # A decorator may make a fixture of it.
    return not (isinstance(statement, FUNCTIONS) and statement.decorator_list)


def _body(function: Function, imports: _Imports) -> list[ast.stmt]:
    """The statements of a function with its parameters' defaults as the first of them."""
    args = [*function.args.posonlyargs, *function.args.args]
    given = args[len(args) - len(function.args.defaults) :]
    pairs = zip(given, function.args.defaults, strict=True)
    defaults = [ast.Assign([ast.Name(a.arg, ast.Store())], d, lineno=0) for a, d in pairs]
    return [*defaults, *(imports.rewritten(node) for node in function.body)]


class _Imports:
    """What a file calls the module under check, and what it takes from it."""

    def __init__(self, path: Path) -> None:
        package, _ = package_of(path)
        self._name = f"{package}.{path.stem}" if package else path.stem
        #: The names of the file that mean names of the module.
        self.taken: dict[str, str] = {}
        self.modules: set[str] = set()

    def rewritten(self, node: ast.stmt) -> ast.stmt:
        """A statement with the module under check in the place of its import."""
        if isinstance(node, ast.ImportFrom):
            return self._from(node)
        if isinstance(node, ast.Import):
            for alias in node.names:
                name = alias.asname or alias.name
                if self._is_it(alias.name):
                    self.modules.add(name)
                    return node if "." in name else _assigned(name, MODULE_NAME)
        return node

    def _from(self, node: ast.ImportFrom) -> ast.stmt:
        of_it = self._is_it(node.module or "") or (
            # What a package takes in from it.
            bool(node.module) and self._name.startswith(f"{(node.module or '').split('.')[0]}.")
        )
        known: dict[str, str] = {}
        for alias in node.names:
            name = alias.asname or alias.name
            if alias.name == self._name.rpartition(".")[2] and not self._is_it(node.module or ""):
                self.modules.add(name)
                known[name] = MODULE_NAME
            elif of_it and alias.name != "*":
                self.taken[name] = alias.name
                known[name] = f"{MODULE_NAME}.{alias.name}"
        return _assigned(", ".join(known), ", ".join(known.values())) if known else node

    def _is_it(self, name: str) -> bool:
        return bool(name) and (self._name == name or self._name.endswith(f".{name}"))


def _assigned(name: str, value: str) -> ast.stmt:
    return ast.parse(f"{name} = {value}").body[0]


def _calls_of(statement: ast.stmt, unit: str, imports: _Imports) -> Iterator[ast.Call]:
    owner, _, short = unit.rpartition(".")
    for node in ast.walk(statement):
        if not isinstance(node, ast.Call):
            continue
        function = node.func
        if isinstance(function, ast.Name) and not owner:
            if imports.taken.get(function.id, function.id) == short:
                yield node
        elif isinstance(function, ast.Attribute) and function.attr == short:
            base = function.value
            is_module = ast.unparse(base) in imports.modules
            if is_module and isinstance(base, ast.Attribute):
                function.value = ast.Name(MODULE_NAME, ast.Load())
            if bool(owner) is not is_module:
                yield node


def _calls_on(
    statement: ast.stmt, before: Sequence[ast.stmt], unit: str, imports: _Imports
) -> Iterator[ast.Call]:
    """The calls of objects of a class whose method they come to."""
    owner, _, short = unit.rpartition(".")
    if not owner or short not in BY_CALLING:
        return

    def makes(node: ast.AST) -> bool:
        function = node.func if isinstance(node, ast.Call) else None
        if isinstance(function, ast.Name):
            return imports.taken.get(function.id, function.id) == owner
        is_it = isinstance(function, ast.Attribute) and function.attr == owner
        return is_it and ast.unparse(function.value) in imports.modules  # type: ignore[union-attr]

    stores = [node for s in before for node in ast.walk(s) if isinstance(node, ast.Assign)]
    pairs = [pair for node in stores for pair in pairs_of(node)]
    held = {ast.unparse(target) for target, value in pairs if makes(value)}
    for node in ast.walk(statement):
        if isinstance(node, ast.Call) and (makes(node.func) or ast.unparse(node.func) in held):
            yield node


def _needed(before: Sequence[ast.stmt], call: ast.Call, known: set[str]) -> list[ast.stmt] | None:
    """The statements that a call needs, in order; None where something is missing."""
    needed = _free(call) - set(vars(builtins))
    kept: list[ast.stmt] = []
    for statement in reversed(before):
        bound = set(bound_names([statement])) | _changed(statement)
        if bound & needed:
            kept.insert(0, statement)
            needed |= _free(statement) - set(vars(builtins))
    every = set(bound_names(kept))
    return kept if needed - {MODULE_NAME} <= every | known else None


def _free(node: ast.AST) -> set[str]:
    """The names that code looks up outside of itself."""
    own: set[str] = set()
    if isinstance(node, (*FUNCTIONS, ast.Lambda)):
        own = {part.arg for part in ast.walk(node.args) if isinstance(part, ast.arg)}
        own |= set(bound_names(node.body if isinstance(node.body, list) else []))
    for turn in getattr(node, "generators", ()):
        own |= set(bound_names([turn.target]))
    reads = isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Store)
    inner = [{node.id}] if reads else map(_free, ast.iter_child_nodes(node))  # type: ignore[attr-defined]
    return set().union(*inner) - own


def _changed(statement: ast.stmt) -> set[str]:
    """The objects whose parts a statement sets, or a method of them calls: a model is built."""
    node = statement.value if isinstance(statement, ast.Expr) else None
    function = node.func if isinstance(node, ast.Call) else None
    parts = [function, *getattr(statement, "targets", [getattr(statement, "target", None)])]
    found = set()
    for part in parts:
        base = part
        while isinstance(base, (ast.Attribute, ast.Subscript)):
            base = base.value
        found |= {base.id} if isinstance(base, ast.Name) and base is not part else set()
    return found


def _text(statements: Sequence[ast.stmt]) -> str:
    return ast.unparse(ast.fix_missing_locations(ast.Module(list(statements), [])))
