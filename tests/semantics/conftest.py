from __future__ import annotations

import textwrap
from collections.abc import Callable

import libcst as cst
import pytest

from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.units import Unit
from tfxla_lint.source import Source


@pytest.fixture
def build() -> Callable[[str], SemanticModel]:
    """Builds the model of a dedented piece of code."""

    def make(code: str) -> SemanticModel:
        text = textwrap.dedent(code).lstrip("\n")
        return SemanticModel.build(cst.parse_module(text), Source("example.py", text))

    return make


def unit_named(model: SemanticModel, qualname: str) -> Unit:
    return next(unit for unit in model.units.all if unit.qualname == qualname)


def expression(model: SemanticModel, text: str) -> cst.CSTNode:
    """The last expression of the module that is written like this."""
    found = [
        node
        for kind in (cst.Name, cst.Attribute, cst.Call, cst.Subscript, cst.BinaryOperation)
        for node in model.nodes(kind)
        if model.code(node) == text
    ]
    return max(found, key=lambda node: model.positions.syntactic(node))
