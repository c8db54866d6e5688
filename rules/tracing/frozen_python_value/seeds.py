"""Random generators that are made with a seed where they are used."""

from __future__ import annotations

import libcst as cst

from tfxla_lint.semantics.flow.origins import makers
from tfxla_lint.semantics.model import SemanticModel


def is_seeded_anew(model: SemanticModel, node: cst.BaseExpression) -> bool:
    """Whether each run of the function makes the generator, with one and the same seed."""
    unit = model.unit(node)
    made = makers(model.flow, node)
    return bool(made) and all(
        isinstance(call, cst.Call)
        and model.unit(call) is unit
        and bool(call.args)
        and all(model.value(argument.value).has_constant for argument in call.args)
        for call in made
    )
