"""The project that a file belongs to: its other files, and the programs among them that run the file."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tfxla_lint.verify.pairs import Pair
from tfxla_lint.verify.trees import UNPARSED, Tree, outside_functions

#: So many files are read, of so many characters each.
_FILES, _LONG = 300, 200_000
#: So many programs are run.
_PROGRAMS = 2


@dataclass(frozen=True)
class Program:
    """A program of the project: where it stands, how it is shown, and its text as it was."""

    path: Path
    shown: str
    text: str

    @cached_property
    def tree(self) -> Tree:
        """Its tree."""
        return Tree(self.text)


def programs_for(pair: Pair, others: Sequence[Pair]) -> list[Program]:
    """The programs that import a file, some way or other; those that changed with it come first.

    `others` are what changed with it. Of files that did not change, one is a program that runs
    something, is imported by none, and is no test.
    """
    changed = [Program(other.path, other.shown, other.original) for other in others]
    known = {pair.path, *(program.path for program in changed)}
    rest = [p for p in files_beside(pair.path) if p not in known]
    texts = {**{p.path: p.text for p in changed}, **{path: text_of(path) for path in rest}}
    imported = _imports({pair.path: pair.original, **texts})
    reaching = _reaching(pair.path, imported)
    users = {path: names for path, names in imported.items() if not _is_test(path)}
    used = {path for path in imported for names in users.values() if _names(path) & names}
    found = [p for p in changed if p.path in reaching and _does_something(p.tree)]
    shown = Path(pair.shown).parent
    own = pair.path.parent
    for path in sorted(reaching & set(rest) - used, key=lambda p: (p.parent != own, p)):
        program = Program(path, _shown(path, pair, shown), texts[path])
        if not _is_test(path) and _does_something(program.tree):
            found.append(program)
    return found[: max(_PROGRAMS, len(changed))]


def files_beside(path: Path) -> list[Path]:
    """The Python files of the project that a file belongs to, a bounded number of them."""
    from tfxla_lint.discovery import discover
    from tfxla_lint.settings.folders import Folders
    from tfxla_lint.settings.layer import Layer
    from tfxla_lint.settings.resolver import SettingsResolver
    from tfxla_lint.settings.roots import Roots

    root = Roots(Folders()).of(path.parent)
    try:
        targets = discover([str(root)], SettingsResolver(Layer(root))).files
    except Exception:
        return []
    return [target.path for target in targets if target.path.suffix == ".py"][:_FILES]


def text_of(path: Path) -> str:
    """What stands in a file, as far as it is read."""
    try:
        return path.read_text("utf-8", errors="replace")[:_LONG]
    except OSError:
        return ""


def _imports(texts: Mapping[Path, str]) -> dict[Path, set[str]]:
    """What each of several files imports that parses, by the last words of the names."""
    found: dict[Path, set[str]] = {}
    stems = set().union(*map(_names, texts))
    for path, text in texts.items():
        if any(stem in text for stem in stems):
            try:
                found[path] = _imported(Tree(text))
            except UNPARSED:
                continue
    return found


def _imported(tree: Tree) -> set[str]:
    """The last words of all that a module imports."""
    found: set[str] = set()
    for node in ast.walk(tree.module):
        if isinstance(node, ast.Import):
            found |= {alias.name.rpartition(".")[2] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {alias.name for alias in node.names}
            found.add((node.module or "").rpartition(".")[2])
    return found


def _names(path: Path) -> set[str]:
    """What imports call a file."""
    return {path.parent.name if path.stem == "__init__" else path.stem}


def _reaching(path: Path, imported: Mapping[Path, set[str]]) -> set[Path]:
    """The files that import a file, or one that does."""
    found: set[Path] = set()
    pending = [path]
    while pending:
        names = _names(pending.pop())
        new = {other for other, theirs in imported.items() if theirs & names} - found - {path}
        found |= new
        pending += new
    return found


def _does_something(tree: Tree) -> bool:
    """Whether running a module calls something for itself."""
    top: Iterable[ast.AST] = (n for s in tree.statements for n in outside_functions(s.node))
    return any(isinstance(n, ast.Expr) and isinstance(n.value, ast.Call) for n in top)


def _is_test(path: Path) -> bool:
    return path.stem.startswith("test_") or path.stem.endswith("_test") or path.stem == "conftest"


def _shown(path: Path, pair: Pair, folder: Path) -> str:
    """A file's path as that of the pair is shown."""
    try:
        return str(folder / path.relative_to(pair.path.parent))
    except ValueError:
        return path.name
