"""tfxla-lint: a linter and codemod for TensorFlow 2 code."""

import os

__version__ = "0.1.0"

if not os.path.isdir(os.path.join(__path__[0], "rules")):
    # A plain checkout: the rules stand beside the package, and the build puts them into it.
    __path__.append(os.path.dirname(__path__[0]))


def load_ipython_extension(ipython: object) -> None:
    """Register `%%tfxla`; IPython calls this at `%load_ext tfxla_lint`."""
    import importlib

    importlib.import_module("tfxla_lint.jupyter").register(ipython)
