"""TXL505."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.findings import Level
from tfxla_lint.knowledge import symbols, tables
from tfxla_lint.knowledge.tables import Version
from tfxla_lint.rule import Report, Rule
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.values import Kind

from .shared.arguments import refused_arguments
from .shared.imported import tensorflow_references
from .shared.outside import classes_of, is_general
from .shared.target import label, shown
from .shared.version_guards import depends_on_version, is_provided


class NewerThanTarget(Rule):
    """## What it does
    Finds names, methods and arguments that TensorFlow has, but only in versions newer than the
    one that the project targets: the setting `tf-version`, or else the lowest version that the
    project's requirements and lock files allow. Where nothing says which TensorFlow is meant,
    the rule is silent. The versions in between those that the tool knows (2.12, 2.15, 2.16, 2.18
    and 2.21) are given the benefit of the doubt.

    Left alone are names behind `try`/`except`, `hasattr` or a test of the version, and names that
    the project assigns itself.

    ## Why is this bad?
    The code raises `AttributeError`, `ImportError` or `TypeError` for users whose TensorFlow the
    requirements allow.

    ## Example
    ```python
    # tf-version: 2.12
    import tensorflow as tf

    data = tf.data.Dataset.range(8).map(lambda i: i * 2, synchronous=True)
    ```

    ## Use instead
    ```python
    # tf-version: 2.12
    import tensorflow as tf

    data = tf.data.Dataset.range(8).map(lambda i: i * 2)
    ```

    ## References
    - [TensorFlow API versions](https://www.tensorflow.org/versions)
    """

    code = "TXL505"
    name = "newer-than-target"
    summary = "A name or an argument that only newer TensorFlow has"
    level = Level.ERROR
    gathered = "uses of what only newer TensorFlow has"
    needs = ("@target", "@tensorflow")

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Compare names and arguments with the target, where the project states one."""
        target = model.tf_version
        if target is None:
            return
        found = [(*place, _since(place[2], target)) for place in _places(model, target)]
        for node, within, name, since in found:
            if since is None or is_provided(model, name):
                continue
            if not depends_on_version(model, within):
                yield Report(node, _message(f"`{shown(name)}`", since, target))
        for refused in refused_arguments(model, target):
            if refused.is_newer(target):
                what = f"the argument `{refused.name}` of `{shown(refused.symbol.name)}`"
                since = min(refused.accepted_in())
                yield Report(refused.argument, _message(what, since, target))


def _places(
    model: SemanticModel, target: Version
) -> Iterator[tuple[cst.CSTNode, cst.CSTNode, str]]:
    """Names that the target lacks: the node, what it is part of, and the name."""
    for reference in tensorflow_references(model):
        if not symbols.missing(reference.name.rpartition(".")[0], target):
            if symbols.missing(reference.name, target):
                yield reference.node, reference.within, reference.name
    for call, name in _methods(model):
        if symbols.missing(name, target) and not name.endswith(".__init__"):
            yield call.func, call, name


def _methods(model: SemanticModel) -> Iterator[tuple[cst.Call, str]]:
    """Methods of objects whose class is known."""
    for call in model.nodes(cst.Call):
        value = model.value(call.func)
        if value.kind is Kind.METHOD and value.unit is None and value.receiver is not None:
            names = [f"{owner}.{value.name}" for owner in classes_of(value.receiver)]
            if len(names) == 1 and not is_general(names[0]):
                yield call, names[0]


def _since(name: str, target: Version) -> Version | None:
    """The first covered version with the name, if that is newer than the target."""
    have = [version for version in tables.covered() if symbols.exists(name, version)]
    return min(have) if have and min(have) > target else None


def _message(what: str, since: Version, target: Version) -> str:
    return (
        f"the project targets TensorFlow {label(target)}, which lacks {what}; {label(since)} has it"
    )
