"""TXL502."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.edits import Replace, Rewrite
from tfxla_lint.findings import Applicability, Level
from tfxla_lint.rule import Evidence, Report, Rule
from tfxla_lint.semantics.flow.origins import makers
from tfxla_lint.semantics.model import SemanticModel

from ..shared.arguments import RefusedArgument, refused_arguments
from ..shared.mending import mending
from ..shared.running import fails_on_import
from ..shared.target import label, name_of_target, shown
from ..shared.version_guards import depends_on_version, is_provided
from .names_by_position import NameByPosition, names_by_position
from .renames import near_names, new_name


class UnknownArgument(Rule):
    """## What it does
    Finds keyword arguments that a function, constructor or method of TensorFlow does not take in
    the TensorFlow that the project targets (the newest known one where nothing says which, or where
    a requirement takes any newer one; the oldest known one, 2.12, for targets older than that). It looks through `functools.partial`, at
    classes that derive from TensorFlow's and keep their constructor, at `super().__init__`, and
    at methods of objects that surely are optimizers (those known by their use, too, for a keyword
    that no version has), models, layers, datasets, tapes or variables. A keyword that a function swallows by `**kwargs` and then ignores counts as not
    taken. A name that comes first, by position, counts where the function takes it by keyword only
    today, as `add_weight` of Keras 3 does.

    Left alone are calls in `try`/`except` for `TypeError` or `ValueError`, calls behind a test of
    the version, and functions whose keywords cannot be known.

    ## Why is this bad?
    The call raises `TypeError` or `ValueError`, or, where the function swallows any keyword, the
    argument silently does nothing.

    ## Example
    ```python
    import tensorflow as tf

    optimizer = tf.keras.optimizers.Adam(lr=0.001)
    ```

    ## Use instead
    ```python
    import tensorflow as tf

    optimizer = tf.keras.optimizers.Adam(learning_rate=0.001)
    ```

    ## Fix safety
    The fix is offered only where the function takes the same argument under another
    name. There is none where the call passes both, or arguments that can't be seen (`**options`),
    and where the file cannot be imported all the same, for a name that no fix replaces. It is safe where
    the program cannot live on the error: all files that take part are plain code (TXL101 says what that
    is), none of them catches such errors, has a `finally`, a context that may catch, or a `hasattr`, and
    all that runs the code is a call in sight of a function that is no method. It is unsafe elsewhere.

    ## References
    - [TensorFlow API documentation](https://www.tensorflow.org/api_docs/python/tf)
    - [Keras 3 API documentation](https://keras.io/api/)
    """

    code = "TXL502"
    name = "unknown-argument"
    summary = "The function does not take such a keyword argument"
    level = Level.ERROR
    fixes = (Applicability.SAFE, Applicability.UNSAFE)
    gathered = "arguments that TensorFlow does not take"
    needs = ("@tensorflow", "@imported|@optimizers")

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Compare the keywords of each call with what the function takes."""
        for refused in refused_arguments(model):
            if refused.is_newer(model.tf_version) or _is_replaced(model, refused):
                continue
            new = new_name(refused)
            if new is None or not depends_on_version(model, refused.outside.call, new):
                yield _report(model, refused, new)
        for named in names_by_position(model):
            if not is_provided(model, named.symbol.name):
                yield _unnamed(model, named)


def _is_replaced(model: SemanticModel, refused: RefusedArgument) -> bool:
    """Whether the project puts something of its own in the place of what is called."""
    return is_provided(model, refused.symbol.name)


def _report(model: SemanticModel, refused: RefusedArgument, new: str | None) -> Report:
    symbol = refused.symbol
    where = name_of_target(model, symbol.name)
    message = f"`{shown(symbol.name)}` takes no argument `{refused.name}` in {where}"
    older = refused.accepted_in()
    if new is not None:
        message += f"; it is called `{new}`"
    elif older:
        message += f"; the last that took it was {label(max(older))}"
    elif near := near_names(refused):
        message += "; near it: " + ", ".join(f"`{name}`" for name in near)
    return Report(
        refused.argument, message, _evidence(model, refused), _rewrite(model, refused, new)
    )


def _unnamed(model: SemanticModel, named: NameByPosition) -> Report:
    what, where = shown(named.symbol.name), name_of_target(model, named.symbol.name)
    message = f"`{what}` takes its name by keyword only in {where}: `name=...`"
    rewrite = None
    if named.can_be_named and not fails_on_import(model):
        edits = [Replace(named.call, named.with_names())]
        rewrite = mending(model, named.call, "Pass it as `name`", edits)
    return Report(named.call.args[0], message, (), rewrite)


def _evidence(model: SemanticModel, refused: RefusedArgument) -> list[Evidence]:
    """Where the object is made whose method is called."""
    function = refused.outside.call.func
    if refused.symbol.kind != "method" or not isinstance(function, cst.Attribute):
        return []
    made = makers(model.flow, function.value)
    if len(made) != 1 or made[0] is function.value:
        return []
    return [Evidence(made[0], "the object is made here")]


def _rewrite(model: SemanticModel, refused: RefusedArgument, new: str | None) -> Rewrite | None:
    if new is None or refused.outside.is_opaque or refused.passes(new) or fails_on_import(model):
        return None
    edits = [Replace(refused.keyword, new)]
    return mending(model, refused.outside.call, f"Rename to `{new}`", edits)
