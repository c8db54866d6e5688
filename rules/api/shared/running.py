"""Whether code runs, once what has another name in the targeted TensorFlow is called by that."""

from __future__ import annotations

import re

import libcst as cst

from tfxla_lint.knowledge import symbols
from tfxla_lint.knowledge.successor import successor
from tfxla_lint.semantics.answers import Answers
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.values import LAYERED

from .imported import Reference, tensorflow_references
from .target import is_missing
from .version_guards import depends_on_version, is_provided

_WEIGHTS = frozenset({"trainable_variables", "trainable_weights"})
_ROOT = "tensorflow."
_V1 = _ROOT + "compat.v1."
#: Names of `tf.compat.v1` that raise where no graph is built.
_GRAPH = re.compile(r"(placeholder|metrics\.[a-z]\w*|train\.(Monitored|Supervisor)\w*)$")
#: A session runs a graph; one that is empty it refuses.
_SESSION = re.compile(r"(Interactive)?Session$")
_BUILDING = re.compile(r"\bas_default\b|\bdisable_(?:eager_execution|v2_behavior)\b|\bimport_graph")
#: Optimizers that update variables of TensorFlow's own, and no others.
_OPTIMIZER = re.compile(r"train\.(?!GradientDescent)\w*Optimizer$")


def fails_on_import(model: SemanticModel) -> bool:
    """Whether a name that TensorFlow has no more, under any name, ends the module's import.

    Then nothing in the module runs, however its other names are called.
    """
    return model.once("fails_on_import", lambda: _fails(model))


def needs_graph(model: SemanticModel, name: str, at: cst.CSTNode) -> bool:
    """Whether a name of `tf.compat.v1` raises at a place, since no graph is built there."""
    if not name.startswith(_V1):
        return False
    short = name.removeprefix(_V1)
    if _SESSION.match(short):
        return not any(_BUILDING.search(each.source.text) for each in model.world.modules)
    if not _GRAPH.match(short):
        return False
    blocks = (parent for parent in model.ancestors(at) if isinstance(parent, cst.With))
    return not any("as_default" in model.code(item) for block in blocks for item in block.items)


def refuses_keras(model: SemanticModel, name: str, at: cst.CSTNode) -> bool:
    """Whether an optimizer of `tf.compat.v1` may get the variables of Keras 3, which it refuses."""
    if not name.startswith(_V1) or not _OPTIMIZER.match(name.removeprefix(_V1)):
        return False
    return model.world.runs_keras_3(at) and model.ask(_lists_weights)


def _lists_weights(model: Answers) -> bool:
    """Whether any code asks a model or a layer for its variables."""
    reads = (node for node in model.everywhere(cst.Attribute) if node.attr.value in _WEIGHTS)
    return any(model.value(node.value).kind in LAYERED for node in reads)


def _fails(model: SemanticModel) -> bool:
    gone = [r for r in tensorflow_references(model) if _is_gone(model, r)]
    return any(
        not is_provided(model, reference.name) and not depends_on_version(model, reference.within)
        for reference in gone
    )


def _is_gone(model: SemanticModel, reference: Reference) -> bool:
    """Whether the module's own statements name what only another program could give."""
    name = reference.name
    parent = name.rpartition(".")[0]
    if not is_missing(model, name) or (parent != "tensorflow" and is_missing(model, parent)):
        return False
    around = (reference.node, *model.ancestors(reference.node))
    if any(isinstance(node, (cst.FunctionDef, cst.Lambda, cst.Annotation)) for node in around):
        return False
    if isinstance(reference.within, (cst.Import, cst.ImportFrom)):
        return True
    target = model.newest_target
    replaced = symbols.exists(_V1 + name.removeprefix(_ROOT), target)
    return not replaced and successor(name, target) is None
