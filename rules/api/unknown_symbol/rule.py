"""TXL501."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.edits import Replace, Rewrite
from tfxla_lint.findings import Applicability, Intent, Level
from tfxla_lint.knowledge import near, symbols, tables
from tfxla_lint.knowledge.successor import successor
from tfxla_lint.knowledge.tables import Version
from tfxla_lint.rewriting.spelling import tensorflow_name
from tfxla_lint.rule import Report, Rule
from tfxla_lint.semantics.answers import Answers
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.safety.verdict import Safety

from ..shared.imported import Reference, tensorflow_references
from ..shared.mending import mending
from ..shared.renamed_methods import RenamedMethod, renamed_methods
from ..shared.running import fails_on_import
from ..shared.target import is_missing
from ..shared.version_guards import depends_on_version, is_provided, provided_names
from .members import missing_members

_ROOT = "tensorflow."


class UnknownSymbol(Rule):
    """## What it does
    Finds names of TensorFlow that do not exist: in no TensorFlow 2, or not in the one that the
    project targets (`tf-version`; the newest known one where nothing says which, or where a
    requirement such as `tensorflow>=2.4` takes any newer one). Imports and
    plain references count as well as calls. The message proposes the nearest real names. Of the
    members of Keras objects, those count that Keras 3 dropped (`optimizer.minimize`, `model.fit_generator`,
    `output_shape` of a `Dense` layer) or renamed (`reset_states` of a metric, `lr` of an optimizer); of a `tf.data.Dataset` all (`output_shapes` and
    `make_one_shot_iterator` are those of TensorFlow 1).

    Left alone are names in `try`/`except` for `ImportError` or `AttributeError`, behind `hasattr`
    or a test of the version, names that the project assigns itself, private names, and anything
    below `tensorflow.python`. Names of TensorFlow 1 that live on in `tf.compat.v1`, and
    `tf.contrib`, are another rule's.

    ## Why is this bad?
    The code raises `AttributeError` or `ImportError` when it gets there. Such names come from
    tutorials, from language models, and from TensorFlow versions in which they still existed.

    ## Example
    ```python
    import tensorflow as tf

    def copy_async(x):
        return tf.experimental.async_data_transfer(x)
    ```

    ## Use instead
    ```python
    import tensorflow as tf

    def copy_async(x):
        return tf.identity(x)
    ```

    ## Fix safety
    The fix is offered only where the same object was reachable under another name, which
    the target still has with the same parameters (`tf.keras.losses.mean_squared_error`, gone with
    Keras 3, is `tf.keras.losses.MSE`; `reset_states` of a metric is `reset_state`). There is none
    where the file cannot be imported all the same, for a name that no fix replaces. It is safe where the
    program cannot live on the error: all files that take part are plain code (TXL101 says what that is),
    none of them catches such errors, has a `finally`, a context that may catch, or a `hasattr`, and all that
    runs the code is a call in sight of a function that is no method. It is unsafe elsewhere, and where the
    project itself has an `lr` or `reset_states` of anything: Keras 3 keeps what it does not know, without
    effect, and the renamed line has one. It is unsafe, too, where no version has the name, and the only one near it differs by a slip
    (`tf.boradcast_to`).

    ## References
    - [TensorFlow API documentation](https://www.tensorflow.org/api_docs/python/tf)
    - [TensorFlow API versions](https://www.tensorflow.org/versions)
    """

    code = "TXL501"
    name = "unknown-symbol"
    summary = "TensorFlow has no such name"
    level = Level.ERROR
    fixes = (Applicability.SAFE, Applicability.UNSAFE)
    gathered = "uses of names that TensorFlow does not have"
    needs = ("@imported", "import tensorflow|@renamed-methods")

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Look up every name that is rooted at an import of TensorFlow."""
        target = model.newest_target
        for reference in tensorflow_references(model):
            if not _is_unknown(reference.name, target) or not is_missing(model, reference.name):
                continue
            if is_provided(model, reference.name):
                continue
            new = successor(reference.name, target)
            instead = new.rpartition(".")[2] if new is not None else None
            if not depends_on_version(model, reference.within, instead):
                yield _report(model, reference, new, target)
        for method in renamed_methods(model):
            if is_missing(model, method.old):
                provided = provided_names(model)
                if not any(name.rpartition(".")[2] == method.node.attr.value for name in provided):
                    yield _renamed(model, method, target)
        for member, name in missing_members(model):
            if member.attr.value not in model.ask(_own_names):
                yield Report(member, _message(name, target))


def _is_unknown(name: str, target: Version) -> bool:
    """Whether a name is missing where all that leads to it is there."""
    if not symbols.missing(name, target) or symbols.missing(name.rpartition(".")[0], target):
        return False
    rest = name.removeprefix(_ROOT).removeprefix("compat.v1.")
    if rest.partition(".")[0] == "contrib":
        return False
    known = symbols.find(name)
    is_old = known is None and symbols.last_with(name) is None
    if is_old and symbols.exists(f"{_ROOT}compat.v1.{rest}", target):
        return False
    return known is None or min(known.versions) <= target


def _report(model: SemanticModel, reference: Reference, new: str | None, target: Version) -> Report:
    message = _message(reference.name, target)
    proposals = [new] if new is not None else _near(reference, target)
    if proposals:
        message += "; near it: " + ", ".join(f"`{_shown(name)}`" for name in proposals)
    rewrite = _rewrite(model, reference, new)
    if new is None and len(proposals) == 1 and symbols.last_with(reference.name) is None:
        rewrite = _respelled(model, reference, proposals[0])
    return Report(reference.node, message, (), rewrite)


def _renamed(model: SemanticModel, method: RenamedMethod, target: Version) -> Report:
    edits = [Replace(method.node.attr, method.new)]
    title, name = f"Rename to `{method.new}`", method.node.attr.value
    if fails_on_import(model):
        rename = None
    elif not method.is_known(model.oldest_target):
        assumption = f"assumes a TensorFlow that has `{method.new}`"
        rename = Rewrite(title, edits, Applicability.UNSAFE, Intent.CORRECTING, assumption)
    elif name in model.ask(_own_names):
        assumption = f"what the project calls `{name}` itself is not what is read here"
        rename = Rewrite(title, edits, Applicability.UNSAFE, Intent.CORRECTING, assumption)
    else:
        rename = mending(model, method.node, title, edits)
    message = f"{_message(method.old, target)}; it is called `{method.new}`"
    return Report(method.node, message, (), rename)


def _own_names(model: Answers) -> frozenset[str]:
    """The names that the world gives to members: in the bodies of classes, by setting attributes, and in
    strings, by which others may set them."""
    targets = model.ask(Safety).state.targets
    found = {t.attr.value for t in targets if isinstance(t, cst.Attribute)}
    found |= {_word(text) for text in model.everywhere(cst.SimpleString)}
    classes = (model.binder.scope(c.body) for c in model.everywhere(cst.ClassDef))
    return frozenset(found.union(*(scope.bindings for scope in classes)))


def _word(text: cst.SimpleString) -> str:
    """The name that a string may be for an attribute, options of a command line too."""
    return str(text.evaluated_value).lstrip("-").replace("-", "_")


def _near(reference: Reference, target: Version) -> list[str]:
    """Real names near the one meant; of TensorFlow's private packages, only members of that name."""
    found = near.near(reference.whole, target)
    if not reference.name.endswith(".python"):
        return found
    leaf = reference.whole.rpartition(".")[2]
    return [name for name in found if name.rpartition(".")[2] == leaf]


def _message(name: str, target: Version) -> str:
    known, gone = symbols.find(name), symbols.last_with(name)
    if known is None and gone is None:
        first, last = _spelled(tables.covered()[0]), _spelled(tables.newest())
        return f"no TensorFlow from {first} to {last} has `{_shown(name)}`"
    versions = known.versions if known is not None else {gone or target}
    last = _spelled(max(version for version in versions if version <= target))
    return f"TensorFlow {_spelled(target)} has no `{_shown(name)}`; the last with it was {last}"


def _spelled(version: Version) -> str:
    return ".".join(map(str, version))


def _shown(name: str) -> str:
    return "tf." + name.removeprefix(_ROOT)


def _respelled(model: SemanticModel, reference: Reference, near_by: str) -> Rewrite | None:
    """The only name near by, where no more than a slip of the hand tells the two apart."""
    (parent, _, leaf), (other, _, meant) = (n.rpartition(".") for n in (reference.name, near_by))
    node = reference.node
    if parent != other or not near.is_slip(leaf, meant) or fails_on_import(model):
        return None
    if not isinstance(node, cst.Attribute) or node.attr.value != leaf:
        return None
    assumption = f"assumes that `{_shown(near_by)}` is what was meant"
    edits = [Replace(node.attr, meant)]
    title = f"Write `{meant}`"
    return Rewrite(title, edits, Applicability.UNSAFE, Intent.CORRECTING, assumption)


def _rewrite(model: SemanticModel, reference: Reference, new: str | None) -> Rewrite | None:
    """The rename to a surviving name of the same object."""
    is_name = isinstance(reference.node, cst.Attribute)
    if new is None or not is_name or fails_on_import(model):
        return None
    spelled = tensorflow_name(model, new.removeprefix(_ROOT), at=reference.node)
    if spelled is None:
        return None
    edits = [Replace(reference.node, spelled)]
    return mending(model, reference.node, f"Rename to `{spelled}`", edits)
