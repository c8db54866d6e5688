"""TXL504."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.edits import RemoveArgument, Replace
from tfxla_lint.findings import Applicability
from tfxla_lint.knowledge import symbols
from tfxla_lint.knowledge.renamed import ARGUMENTS, FUNCTION, FUNCTIONS
from tfxla_lint.rule import Evidence, Report, Rule
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.safety.settled import is_written_out
from tfxla_lint.semantics.values import Kind

from .shared.arguments import is_prepared
from .shared.imported import may_be_private
from .shared.mending import renaming
from .shared.renamed_methods import renamed_methods
from .shared.target import is_missing
from .shared.version_guards import depends_on_version, is_provided


class RenamedArgument(Rule):
    """## What it does
    Finds arguments and functions that TensorFlow still accepts under an old name:
    `experimental_compile` and `experimental_relax_shapes` of `tf.function` (also through a
    decorator or `functools.partial`), `dtype` of `tf.map_fn`, `dim` of `tf.nn.l2_normalize`,
    `tf.config.experimental_run_functions_eagerly`, `reset_states` of a Keras metric (gone with
    Keras 3, where TXL501 reports it). `experimental_follow_type_hints` has had no
    effect since TensorFlow 2.12.

    Left alone is code behind a test of the version, and where another side of a test has the new name.

    ## Why is this bad?
    The old names log a warning and can go with any release. Passing both names of one argument
    raises `ValueError`.

    ## Example
    ```python
    import tensorflow as tf

    @tf.function(experimental_relax_shapes=True)
    def total(x):
        return tf.reduce_sum(x)
    ```

    ## Use instead
    ```python
    import tensorflow as tf

    @tf.function(reduce_retracing=True)
    def total(x):
        return tf.reduce_sum(x)
    ```

    ## Fix safety
    The new name means the same. The fix is safe where all files that take part are plain code (TXL101
    says what that is), so that nothing reads or replaces the name unseen; it is unsafe elsewhere, and where
    `functools.partial` keeps the argument for a call that may pass it again. There is none where a call
    passes both names, arguments that can't be seen (`**options`), or a value that is worked out to an
    argument without effect.

    ## References
    - [tf.function](https://www.tensorflow.org/api_docs/python/tf/function)
    - [tf.config.run_functions_eagerly](https://www.tensorflow.org/api_docs/python/tf/config/run_functions_eagerly)
    """

    code = "TXL504"
    name = "renamed-argument"
    summary = "An argument or function is used under a name that TensorFlow has replaced"
    fixes = (Applicability.SAFE, Applicability.UNSAFE)
    gathered = "uses of old names"
    needs = ("@imported", "@renamed")

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Look at the keywords of calls, and at references to renamed functions."""
        for call in model.nodes(cst.Call):
            function = _called(model, call)
            if function is not None and may_be_private(model, function, call.func):
                continue
            if function not in ARGUMENTS or is_provided(model, function):
                continue
            for argument in call.args:
                if argument.keyword is not None:
                    yield from _argument(model, function, call, argument, argument.keyword)
        for attribute in model.nodes(cst.Attribute):
            new = _new_name(model, model.names.one(attribute) or "", attribute)
            if new is None or depends_on_version(model, attribute, new):
                continue
            if not is_provided(model, model.names.one(attribute) or ""):
                yield _function(model, attribute, attribute.attr, new)
        for alias in model.nodes(cst.ImportAlias):
            yield from _import(model, alias)
        for method in renamed_methods(model):
            if not method.is_warned_of or is_missing(model, method.old):
                continue
            if method.is_known(model.oldest_target):
                yield _function(model, method.node, method.node.attr, method.new)


def _is_new_enough(model: SemanticModel, since: tuple[int, int]) -> bool:
    """Whether the target knows a name that a version brought."""
    oldest = model.oldest_target
    return oldest is None or oldest >= since


def _new_name(model: SemanticModel, old: str, node: cst.BaseExpression) -> str | None:
    """The last part of a function's new name, where the target has it."""
    if may_be_private(model, old, node):
        return None
    new, since = FUNCTIONS.get(old, (None, (0, 0)))
    return new if _is_new_enough(model, since) else None


def _called(model: SemanticModel, call: cst.Call) -> str | None:
    """The function to which a call passes its keywords, also through `functools.partial`."""
    name = model.names.one(call.func)
    if name == "functools.partial" and call.args:
        return model.names.one(call.args[0].value)
    if name is None and model.value(call.func).kind is Kind.TRACER:
        return FUNCTION
    return name


def _argument(
    model: SemanticModel, function: str, call: cst.Call, argument: cst.Arg, keyword: cst.Name
) -> Iterator[Report]:
    old = keyword.value
    renamed = ARGUMENTS[function].get(old)
    if renamed is None or not _is_new_enough(model, renamed[1]):
        return
    new = renamed[0]
    symbol = symbols.find(function, model.tf_version)
    if symbol is None or not symbol.accepts(old) or is_prepared(model, call, new or None):
        return
    if not new:
        removal = None
        if is_written_out(argument.value):
            edit = RemoveArgument(call, argument)
            removal = renaming(model, call, f"Remove `{old}`", [edit])
        yield Report(argument, f"`{old}` has no effect", (), removal)
        return
    both = [a for a in call.args if a.keyword is not None and a.keyword.value == new]
    if both:
        message = f"`{old}` is the old name of `{new}`, and both are passed"
        yield Report(argument, message, [Evidence(both[0], f"`{new}` is passed here")])
        return
    placed = sum(1 for a in call.args if a.keyword is None)
    by_place = [parameter.name for parameter in symbol.params or ()][:placed]
    rename = None
    if not (any(a.star for a in call.args) or new in by_place):
        rename = renaming(model, call, f"Rename to `{new}`", [Replace(keyword, new)])
    yield Report(argument, f"`{old}` has been renamed to `{new}`", (), rename)


def _function(model: SemanticModel, node: cst.CSTNode, name: cst.Name, new: str) -> Report:
    rewrite = renaming(model, node, f"Rename to `{new}`", [Replace(name, new)])
    return Report(node, f"`{name.value}` has been renamed to `{new}`", (), rewrite)


def _import(model: SemanticModel, alias: cst.ImportAlias) -> Iterator[Report]:
    statement = model.parent(alias)
    if not isinstance(statement, cst.ImportFrom) or not isinstance(alias.name, cst.Name):
        return
    bound = alias.asname.name if alias.asname is not None else alias.name
    names = model.names.of(bound)
    if not isinstance(bound, cst.Name) or len(names) != 1:
        return
    new = _new_name(model, next(iter(names)), bound)
    if new is None or depends_on_version(model, alias, new):
        return
    if not is_provided(model, next(iter(names))):
        report = _function(model, alias, alias.name, new)
        yield report if alias.asname is not None else Report(alias, report.message)
