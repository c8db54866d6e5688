"""Options of `tf.function`, as the targeted TensorFlow calls them."""

from __future__ import annotations

from tfxla_lint.knowledge.renamed import function_option
from tfxla_lint.semantics.model import SemanticModel


def relaxing(model: SemanticModel) -> str | None:
    """The argument that lets a second trace take tensors of all sizes; None where there is none."""
    return _switched_on(model, "reduce_retracing")


def compiling(model: SemanticModel) -> str | None:
    """The argument that has XLA compile the function; None where there is none."""
    return _switched_on(model, "jit_compile")


def wrapper(spelled: str, function: str, option: str | None) -> str:
    """The call of `tf.function` that wraps a function, with an option where one is given."""
    return f"{spelled}({function}, {option})" if option is not None else f"{spelled}({function})"


def with_option(spelled: str, option: str | None) -> str:
    """`tf.function` as a decorator, with an option where one is given."""
    return f"{spelled}({option})" if option is not None else spelled


def _switched_on(model: SemanticModel, name: str) -> str | None:
    written = function_option(name, model.oldest_target)
    return f"{written}=True" if written is not None else None
