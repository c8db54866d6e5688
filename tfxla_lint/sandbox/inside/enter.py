"""Entry of a child process: `python enter.py MODULE FOLDER [argument ...]` runs `main` of a module.

FOLDER holds the module's package. The interpreter need not have that installed, nor the tool: empty
packages of their names are put up, so that nothing of the user's is found by these. Nor does this
file's folder stay on the search path, where the user's imports would find what lies in it.
"""

import importlib
import os
import sys
import types

OLDEST = (3, 8)


def lend(name, folder):
    # type: (str, str) -> None
    """Make the modules of a package importable, whatever its `__init__` needs."""
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = [folder]


def enter(module, root, *arguments):
    # type: (str, str, *str) -> None
    """Run `main` of a module."""
    if sys.version_info < OLDEST:
        raise RuntimeError("Python {}.{} is too old".format(*sys.version_info))
    here = os.path.dirname(os.path.abspath(__file__))
    if sys.path and os.path.abspath(sys.path[0]) == here:
        del sys.path[0]
    top = module.partition(".")[0]
    lend(top, os.path.join(root, top))
    lend("tfxla_lint", os.path.dirname(os.path.dirname(here)))
    importlib.import_module(module).main(*arguments)


if __name__ == "__main__":
    try:
        enter(*sys.argv[1:])
    except Exception as error:
        # What the user's code raises is dealt with in there: this one is the tool's.
        who = sys.argv[1].split(".")[-2]
        words = (who, sys.executable, type(error).__name__, error)
        sys.stderr.write("error: the {} failed under {}: {}: {}\n".format(*words))
        sys.exit(2)
