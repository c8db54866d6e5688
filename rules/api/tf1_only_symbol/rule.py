"""TXL503."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from tfxla_lint.edits import Replace, Rewrite
from tfxla_lint.findings import Applicability, Intent, Level
from tfxla_lint.knowledge import near
from tfxla_lint.rewriting.spelling import tensorflow_name
from tfxla_lint.rule import Report, Rule
from tfxla_lint.semantics.model import SemanticModel

from ..shared.eras import is_tensorflow_1_name
from ..shared.imported import Reference, tensorflow_references
from ..shared.running import fails_on_import, needs_graph, refuses_keras
from ..shared.target import is_missing, shown
from ..shared.version_guards import depends_on_version, is_provided
from .compat_v1 import in_compat_v1, needs_tf_keras

_ROOT = "tensorflow."
_V1 = _ROOT + "compat.v1."


class Tf1OnlySymbol(Rule):
    """## What it does
    Finds names of TensorFlow 1 in TensorFlow 2 code: those that live on only in `tf.compat.v1`
    (`tf.Session`, `tf.placeholder`, `tf.layers`, `tf.train.AdamOptimizer`, `tf.log`), and
    `tf.contrib`, which is gone.

    Left alone are modules that import `tensorflow.compat.v1 as tf`, names that the project assigns
    itself, and names behind `try`/`except`, `hasattr` or a test of the version. A file that is
    TensorFlow 1 throughout gets one note instead (`tensorflow-1-file`).

    ## Why is this bad?
    The code raises `AttributeError` or `ImportError` when it gets there.

    ## Example
    ```python
    import tensorflow as tf


    def entropy(p):
        return -tf.reduce_sum(p * tf.log(p))
    ```

    ## Use instead
    ```python
    import tensorflow as tf


    def entropy(p):
        return -tf.reduce_sum(p * tf.math.log(p))
    ```

    ## Fix safety
    The fix is unsafe. Where TensorFlow 2 has the very same function under another name, it is
    that name (`tf.math.log`); else it is the name below `tf.compat.v1`, which makes the name
    resolve, but many of these names expect graphs and sessions. There is no fix for imports, for
    what the target no longer has in `tf.compat.v1`, for a `placeholder` or a session where no graph is
    built, for an optimizer in a program that trains variables of Keras 3, which it refuses,
    nor for anything in a file that cannot be imported all the same, for a name that is gone.

    ## References
    - [Migrate to TensorFlow 2](https://www.tensorflow.org/guide/migrate)
    - [tf.compat.v1](https://www.tensorflow.org/api_docs/python/tf/compat/v1)
    """

    code = "TXL503"
    name = "tf1-only-symbol"
    summary = "A name of TensorFlow 1 that TensorFlow 2 has only in `tf.compat.v1`, or not at all"
    level = Level.ERROR
    fixes = (Applicability.UNSAFE,)
    gathered = "uses of TensorFlow 1"
    speaks_at_node_for = ("TXL501",)
    needs = ("import tensorflow",)

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Look up every name that is rooted at an import of TensorFlow."""
        for reference in tensorflow_references(model):
            if not _is_old(model, reference) or is_provided(model, reference.name):
                continue
            if not depends_on_version(model, reference.within):
                yield _report(model, reference)


def _is_old(model: SemanticModel, reference: Reference) -> bool:
    """Whether it is the first part of a dotted name that TensorFlow 2 lacks."""
    name = reference.name
    if not is_tensorflow_1_name(name) or is_tensorflow_1_name(name.rpartition(".")[0]):
        return False
    return is_missing(model, name) and not _is_v2(model, reference)


def _is_v2(model: SemanticModel, reference: Reference) -> bool:
    """Whether it is the one name that `tf.compat.v2` has and `tf` has not."""
    is_switch = reference.name == "tensorflow.enable_v2_behavior"
    return is_switch and re.search(r"compat(\.| import )v2", model.source.text) is not None


def _report(model: SemanticModel, reference: Reference) -> Report:
    node, symbol = in_compat_v1(model, reference)
    if symbol is None:
        message = f"`{shown(reference.name)}` is TensorFlow 1; TensorFlow 2 does not have it"
        return Report(node, message)
    message = f"`{shown(symbol.name).replace('compat.v1.', '')}` is TensorFlow 1; TensorFlow 2 "
    if not symbol.canonical.startswith(_V1):
        message += f"calls it `{shown(symbol.canonical)}`"
        return Report(node, message, (), _rewrite(model, node, symbol.canonical))
    message += f"has it only as `{shown(symbol.name)}`"
    if needs_tf_keras(symbol):
        return Report(node, message + ", and there only if the package tf_keras is installed")
    successor = near.renamed(symbol.name.replace("compat.v1.", ""))
    if successor is not None:
        message += f"; the successor is `{shown(successor)}`"
    return Report(node, message, (), _rewrite(model, node, symbol.name))


def _rewrite(model: SemanticModel, node: cst.CSTNode, new: str) -> Rewrite | None:
    """The name that resolves, spelt as the module spells TensorFlow."""
    if not isinstance(node, cst.Attribute) or model.parent(node) is None:
        return None
    if needs_graph(model, new, node) or refuses_keras(model, new, node) or fails_on_import(model):
        return None
    spelled = tensorflow_name(model, new.removeprefix(_ROOT), at=node)
    if spelled is None:
        return None
    return Rewrite(
        f"Write `{spelled}`",
        [Replace(node, spelled)],
        Applicability.UNSAFE,
        Intent.CORRECTING,
        "what it is used with does not need a graph or a session",
    )
