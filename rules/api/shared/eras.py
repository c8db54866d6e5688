"""Whether a module is TensorFlow 1: by what it calls first, or throughout."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import libcst as cst

from tfxla_lint.knowledge import near, symbols
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.syntax import dotted
from tfxla_lint.semantics.world import World

from .imported import Reference, tensorflow_references
from .version_guards import copes_without, depends_on_version

_V1 = "tensorflow.compat.v1."
_ROOT = "tensorflow."
_SWITCHES = frozenset(
    prefix + name
    for prefix in (_ROOT, _V1)
    for name in ("disable_v2_behavior", "disable_eager_execution")
)
#: What a program of TensorFlow 2 would not have, whatever it keeps of TensorFlow 1.
_TENSORFLOW_2 = re.compile(
    r"(compat\.v1\.)*(function|GradientTape|enable_eager_execution|enable_v2_behavior)(\.|$)"
)
#: Those of them that late releases of TensorFlow 1 had too.
_IN_BOTH = re.compile(r"(compat\.v1\.)*(GradientTape|enable_eager_execution)$")
#: Names that build graphs of TensorFlow 1, and the one that alone says little beside Keras.
_GRAPH = re.compile(
    r"(placeholder|placeholder_with_default|get_variable|variable_scope|contrib\..*|layers\.[a-z]\w*"
    r"|(global|local|all)_variables_initializer|initialize_all_variables|train\.\w+Optimizer"
    r"|train\.Saver|nn\.(static|dynamic)_rnn|(losses|metrics)\.[a-z]\w*|estimator\..*"
    r"|examples\.tutorials\..*|InteractiveSession|train\.(Monitored|Supervisor)\w*)$"
)
#: Those of `tf.compat.v1` among them that do the same where nothing builds a graph.
_EAGER = re.compile(
    r"(get_variable|variable_scope|layers\.[a-z]\w*|(global|local|all)_variables_initializer"
    r"|train\.(\w+Optimizer|Saver)|nn\.(static|dynamic)_rnn|losses\.[a-z]\w*)$"
)
_SESSION = "Session"
_HINTS = re.compile(
    r"disable_v2_behavior|disable_eager_execution|Session|placeholder|variable|contrib|layers"
    r"|Optimizer|Saver|_rnn|tutorials|estimator|losses|metrics"
)
_IMPORTED = re.compile(r"\b(tensorflow|keras)\b")
_TENSORFLOW_2_BEGINS = (2, 0)
_SHARE = 4
_FEW = 3
_MANY = 8

_TESTED_MODE = re.compile(r"__name__|eager")

#: Packages that went with TensorFlow 1 and have no place in `tf.compat.v1`.
GONE = ("tensorflow.contrib", "tensorflow.examples.tutorials")


@dataclass(frozen=True)
class Era:
    """Why a module is TensorFlow 1.

    `places` show it: the import of what the `project` requires, the call that is the `switch` which
    turns TensorFlow 2 off, what builds graphs by hand in the `file`, or its old names, where most
    `files` that it is analysed with are TensorFlow 1.
    """

    by: Literal["project", "switch", "file", "files"]
    places: tuple[cst.CSTNode, ...]


def tensorflow_1(model: SemanticModel) -> Era | None:
    """Why the module is TensorFlow 1, None where it is not."""
    if model.tf_version is not None and model.tf_version < _TENSORFLOW_2_BEGINS:
        imports = [*model.nodes(cst.Import), *model.nodes(cst.ImportFrom)]
        places = tuple(node for node in imports if _IMPORTED.search(model.code(node)))
        return Era("project", places[:1]) if places else None
    own = _by_itself(model)
    if own is not None:
        return own
    old = _old_names(model)
    is_like_others = bool(old) and model.ask(_is_mostly_tensorflow_1)
    return Era("files", tuple(old)) if is_like_others else None


def _by_itself(model: SemanticModel) -> Era | None:
    if not _HINTS.search(model.source.text):
        return None
    switch = _switch(model)
    if switch is not None:
        return Era("switch", (switch,))
    places = _throughout(model)
    return Era("file", tuple(place.node for place in places)) if places else None


def _old_names(model: SemanticModel) -> list[cst.CSTNode]:
    """The names that TensorFlow 2 lacks, in a module that has no others which only it has."""
    every = [r for r in tensorflow_references(model) if r.name == r.whole]
    if any(_TENSORFLOW_2.match(reference.name.removeprefix(_ROOT)) for reference in every):
        return []
    return [r.node for r in every if not r.name.startswith(_V1) and is_tensorflow_1_name(r.name)]


def _is_mostly_tensorflow_1(world: World) -> bool:
    """Whether more than half of the modules that name TensorFlow are TensorFlow 1 by themselves."""
    views = [SemanticModel(world, m) for m in world.modules if _IMPORTED.search(m.source.text)]
    return sum(_by_itself(view) is not None for view in views) * 2 > len(views) > 1


def is_gone(name: str) -> bool:
    """Whether a full name is in a package that went with TensorFlow 1."""
    return any(name == gone or name.startswith(gone + ".") for gone in GONE)


@lru_cache(maxsize=4096)
def is_tensorflow_1_name(name: str) -> bool:
    """Whether a full name, or what it hangs on, was never in TensorFlow 2 but in TensorFlow 1."""
    if is_gone(name):
        return True
    if name.startswith(_V1) or symbols.exists(name) or not symbols.missing(name):
        return False
    if symbols.last_with(name) is not None:
        return False
    parent = name.rpartition(".")[0]
    return near.in_compat_v1(name) is not None or is_tensorflow_1_name(parent)


def _switch(model: SemanticModel) -> cst.Call | None:
    """The call that turns TensorFlow 2 off wherever the module runs."""
    for call in model.nodes(cst.Call):
        if model.names.of(call.func) & _SWITCHES and _is_sure(model, call):
            return call
    return None


def _is_sure(model: SemanticModel, call: cst.Call) -> bool:
    """Whether nothing but the mode or the version of TensorFlow decides whether `call` runs."""
    for parent in model.ancestors(call):
        if isinstance(parent, cst.If):
            if not _TESTED_MODE.search(model.code(parent.test)):
                return depends_on_version(model, call)
        elif isinstance(parent, cst.FunctionDef):
            return parent.name.value == "main"
    return True


def _throughout(model: SemanticModel) -> tuple[Reference, ...]:
    """The places that build graphs where TensorFlow 1's own names make up the module, else none."""
    every = [r for r in tensorflow_references(model) if r.name == r.whole]
    old: list[tuple[str, Reference]] = []
    is_lost = _imports_what_is_gone(model)
    for reference in every:
        name = reference.name.removeprefix(_ROOT)
        if _TENSORFLOW_2.match(name) and not (is_lost and _IN_BOTH.match(name)):
            return ()
        short = name.removeprefix("compat.v1.")
        if _is_old(reference.name, short) and not _is_spare(model, reference.node):
            old.append((short, reference))
    is_modern = any(_is_of_tensorflow_2(reference.name) for reference in every)
    building = tuple(
        place
        for short, place in old
        if (_GRAPH.match(short) or short == _SESSION)
        and not (is_modern and place.name.startswith(_V1) and _EAGER.match(short))
    )
    if not building or _is_marginal(old, len(every)):
        return ()
    is_session = all(place.name.endswith("." + _SESSION) for place in building)
    return () if is_session and _uses_keras(model) else building


def _imports_what_is_gone(model: SemanticModel) -> bool:
    """Whether no TensorFlow 2 gets past an import of the module."""
    return any(
        isinstance(r.within, cst.Import | cst.ImportFrom)
        for r in tensorflow_references(model)
        if is_gone(r.name) and not _is_spare(model, r.node)
    )


def _is_spare(model: SemanticModel, node: cst.CSTNode) -> bool:
    """Whether code is for other versions than those for which there is another way."""
    around = (node, *model.ancestors(node))
    is_import = any(isinstance(parent, (cst.Import, cst.ImportFrom)) for parent in around)
    return copes_without(model, node) or (is_import and depends_on_version(model, node))


def _is_of_tensorflow_2(name: str) -> bool:
    return not name.startswith(_ROOT + "compat") and symbols.exists(name)


def _is_old(name: str, short: str) -> bool:
    if name.startswith(_V1):
        return not symbols.exists(_ROOT + short)
    return is_tensorflow_1_name(name)


def _is_marginal(old: list[tuple[str, Reference]], every: int) -> bool:
    """Whether the old names are few, or no more than `tf.compat.v1` in TensorFlow 2 code."""
    bare = sum(not reference.name.startswith(_V1) for _, reference in old)
    if bare >= _MANY:
        return False
    return len(old) * _SHARE < every or (not bare and len(old) < _FEW)


def _uses_keras(model: SemanticModel) -> bool:
    return any("keras" in (dotted(node) or "") for node in model.nodes(cst.Attribute)) or any(
        "keras" in (dotted(alias.name) or "") for alias in model.nodes(cst.ImportAlias)
    )
