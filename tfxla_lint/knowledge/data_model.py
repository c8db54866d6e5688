"""The special methods by which classes say what syntax means: Python's data model.

https://docs.python.org/3/reference/datamodel.html#special-method-names
"""

from __future__ import annotations

from functools import cache

from tfxla_lint.knowledge import tables


@cache
def asked(occasion: str) -> frozenset[str]:
    """The methods that an occasion asks an operand for.

    An ``argument`` is one of a builtin, of an operation of TensorFlow or of a function of NumPy.
    """
    return frozenset(tables.load("data_model")[occasion])
