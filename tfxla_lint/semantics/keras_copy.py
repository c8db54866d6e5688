"""TensorFlow's own copy of Keras 2 (`tensorflow.python.keras`), which is there beside Keras 3.

Much code imports one name of it, often by the hand of an editor, and is written for `tf.keras`
otherwise. What the copy makes is of Keras 2 wherever it comes to; all else is not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import libcst as cst

from tfxla_lint.knowledge import tables
from tfxla_lint.project.clusters import imported
from tfxla_lint.project.layout import Layout
from tfxla_lint.semantics.binder import Binder
from tfxla_lint.semantics.syntax import dotted

#: What holds the copy, so that each import of it spells this out.
COPY_HOLDER = "tensorflow.python"
#: Where TensorFlow keeps it.
COPY = f"{COPY_HOLDER}.keras"
#: The modules of it by which no layer, model, optimizer or metric is made, nor a tensor of theirs.
_PLAIN = frozenset(tables.load("spellings")["plain_keras"])


def takes_copy(binder: Binder) -> bool:
    """Whether a module imports something of the copy."""
    return any(True for _ in _imported(binder))


def makes_by_copy(binder: Binder) -> bool:
    """Whether a module uses a name of the copy by which objects of Keras may be made."""
    names: dict[str, str] = {}
    for local, name in _imported(binder):
        names[local] = "tensorflow" if local == "tensorflow" else name
    return any(_is_of_objects(name) for name in _used(binder, names)) if names else False


def reached_by_copy(layout: Layout | None, makers: Mapping[str, bool]) -> frozenset[str]:
    """The files that objects of the copy may come to: those that make some, what imports them, through
    any chain, and what any of these import.

    `makers` says of the files that are analysed together whether they make some; of others of the
    project, an import of the copy is taken for it.
    """
    made = {file for file, is_maker in makers.items() if is_maker}
    if layout is None:
        return frozenset(made)
    scans = layout.scans
    made |= {
        file
        for file, scan in scans.items()
        if file not in makers and any(name.startswith(COPY) for name in scan.imports)
    }
    if not made:
        return frozenset()
    imports = {file: imported(layout, file, scan) for file, scan in scans.items()}
    importers: dict[str, set[str]] = {}
    for file, others in imports.items():
        for other in others:
            importers.setdefault(other, set()).add(file)
    return frozenset(_closure(_closure(made, importers), imports))


def _closure(files: Iterable[str], leading: Mapping[str, set[str]]) -> set[str]:
    found = {*files}
    pending = [*found]
    while pending:
        new = leading.get(pending.pop(), set()) - found
        found |= new
        pending += new
    return found


def _imported(binder: Binder) -> Iterator[tuple[str, str]]:
    """The names that import statements bind to something of the copy, and what that is."""
    for plain in binder.nodes(cst.Import):
        for alias in plain.names:
            name = dotted(alias.name) or ""
            if _is_of_copy(name):
                yield alias.evaluated_alias or name.partition(".")[0], name
    for statement in binder.nodes(cst.ImportFrom):
        if statement.relative or statement.module is None:
            continue
        module = dotted(statement.module) or ""
        if isinstance(statement.names, cst.ImportStar):
            if _is_of_copy(module):
                yield "*", module
            continue
        for alias in statement.names:
            name = f"{module}.{alias.evaluated_name}"
            if _is_of_copy(name):
                yield alias.evaluated_alias or alias.evaluated_name, name


def _used(binder: Binder, names: Mapping[str, str]) -> Iterator[str]:
    """The full names of the copy that a module reads; of a module that it takes all of, that of it."""
    if "*" in names:
        yield names["*"]
    for node in binder.nodes(cst.Name):
        name = names.get(node.value)
        parent = binder.parent(node)
        if name is None or isinstance(parent, (cst.ImportAlias, cst.AsName)):
            continue
        child: cst.CSTNode = node
        while isinstance(parent, cst.Attribute) and parent.value is child:
            name = f"{name}.{parent.attr.value}"
            child, parent = parent, binder.parent(parent)
        if _is_of_copy(name) and not isinstance(parent, (cst.Import, cst.ImportFrom)):
            yield name


def _is_of_copy(name: str) -> bool:
    return name == COPY or name.startswith(f"{COPY}.")


def _is_of_objects(name: str) -> bool:
    return name.removeprefix(COPY).lstrip(".").partition(".")[0] not in _PLAIN
