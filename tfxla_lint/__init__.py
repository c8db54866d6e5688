"""tfxla-lint: a linter and codemod for TensorFlow 2 code."""

import os

__version__ = "0.1.0"

if not os.path.isdir(os.path.join(__path__[0], "rules")):
    # A plain checkout: the rules stand beside the package, and the build puts them into it.
    __path__.append(os.path.dirname(__path__[0]))


def __getattr__(name: str) -> object:
    """The Python interface, loaded when it is asked for; `__init__.pyi` has its types."""
    import importlib

    if name in ("check", "fix", "verify_patch", "Error", "Fixed", "Result", "Verification"):
        return getattr(importlib.import_module("tfxla_lint.interface"), name)
    if name == "verify":
        return importlib.import_module("tfxla_lint.verify")
    raise AttributeError(f"module 'tfxla_lint' has no attribute {name!r}")


def load_ipython_extension(ipython: object) -> None:
    """Register `%%tfxla`; IPython calls this at `%load_ext tfxla_lint`."""
    import importlib

    importlib.import_module("tfxla_lint.jupyter").register(ipython)
