"""Runs rewritten code against the original on TensorFlow, in child processes.

`tfxla_lint.verify(...)` is the function of the Python interface that does: a package that is loaded
is an attribute of the one that it lies in.
"""

import importlib
import sys
import types


class _Verify(types.ModuleType):
    def __call__(self, *sides: object, **how: object) -> object:
        return importlib.import_module("tfxla_lint.interface").verify(*sides, **how)


sys.modules[__name__].__class__ = _Verify
