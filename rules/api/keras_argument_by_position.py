"""TXL508 keras-argument-by-position."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from tfxla_lint.edits import Replace, Rewrite
from tfxla_lint.findings import Applicability, Level
from tfxla_lint.rule import Report, Rule
from tfxla_lint.semantics.excerpt import excerpt
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.values import LAYERED, Kind, Value, leaves

from .shared.by_keyword import by_keyword
from .shared.mending import mending
from .shared.version_guards import depends_on_version

#: What is no tensor, and passes for none.
_PYTHON = frozenset({Kind.BOOL, Kind.INT, Kind.FLOAT, Kind.STRING})


class KerasArgumentByPosition(Rule):
    """## What it does
    Finds calls of Keras layers and models that pass a Python number, bool or string by position, behind the
    inputs (`encoder(x, False, mask)`), where Keras 3 is the target.

    Left alone is what may be a tensor, `None`, what is passed by keyword, and code for Keras 2.

    ## Why is this bad?
    Keras 2 took such arguments. Keras 3 raises `ValueError` on the first call: "Only input tensors may be
    passed as positional arguments. The following argument value should be passed as a keyword argument".

    ## Example
    ```python
    import tensorflow as tf

    class Encoder(tf.keras.layers.Layer):
        def __init__(self):
            super().__init__()
            self.dropout = tf.keras.layers.Dropout(0.1)

        def call(self, x, training):
            return self.dropout(x, training=training)

    print(Encoder()(tf.ones([2, 3]), False))
    ```

    ## Use instead
    ```python
    import tensorflow as tf

    class Encoder(tf.keras.layers.Layer):
        def __init__(self):
            super().__init__()
            self.dropout = tf.keras.layers.Dropout(0.1)

        def call(self, x, training):
            return self.dropout(x, training=training)

    print(Encoder()(tf.ones([2, 3]), training=False))
    ```

    ## Fix safety
    All arguments but the first get the names of the parameters of `call`, where that is the project's own
    (`None` in the place of `mask` is refused as well, beside one that has its name). It is safe where the
    program cannot live on the error, as `unknown-symbol` tells, and unsafe elsewhere.

    ## References
    - [Migrating Keras 2 code to multi-backend Keras 3](https://keras.io/guides/migrating_to_keras_3/)
    """

    code = "TXL508"
    name = "keras-argument-by-position"
    summary = "A layer of Keras 3 is passed by position what is no tensor"
    level = Level.ERROR
    fixes = (Applicability.SAFE, Applicability.UNSAFE)
    gathered = "calls of layers that pass what is no tensor by position"
    needs = ("@imported",)

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Look at what layers and models are passed behind their first argument."""
        for call in model.nodes(cst.Call):
            function = model.value(call.func)
            info = function.class_
            is_keras = function.kind in LAYERED and function.is_sure
            has_own = info is not None and info.method("__call__") is not None
            if not is_keras or has_own or any(argument.star for argument in call.args):
                continue
            placed = [argument for argument in call.args if argument.keyword is None]
            refused = [n for n, a in enumerate(placed) if n and _is_python(model.value(a.value))]
            if not refused or depends_on_version(model, call):
                continue
            if not model.world.runs_keras_3(call, info):
                continue
            first = placed[refused[0]]
            message = (
                f"`{excerpt(model, call.func)}` is passed `{excerpt(model, first.value)}` by position, and "
                "raises with Keras 3, which takes only tensors there; pass it by its name"
            )
            yield Report(first, message, (), _named(model, call, placed[1:]))


def _is_python(value: Value) -> bool:
    """Whether a value surely is, or holds, what is no tensor."""
    is_sure = value.is_sure and not value.maybe_none
    return is_sure and any(leaf.kind in _PYTHON and leaf.is_sure for leaf in leaves(value))


def _named(model: SemanticModel, call: cst.Call, arguments: Sequence[cst.Arg]) -> Rewrite | None:
    """The same with the names of what the arguments are for; None where these are not known."""
    edges = model.calls.at(call)
    found: dict[int, str] = {}
    for place, argument in enumerate(call.args):
        if any(argument is other for other in arguments):
            names = {p.name if (p := e.parameter(argument)) is not None else "" for e in edges}
            if len(names) != 1 or "" in names:
                return None
            found[place] = names.pop()
    text = model.code(by_keyword(call, found))
    return mending(model, call, "Pass it by its name", [Replace(call, text)])
