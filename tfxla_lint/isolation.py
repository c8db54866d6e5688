"""Keeps the search path for modules clear of what a linted project could put on it.

Whatever this module imports is loaded before it runs: an import up here would itself take the
project's file of that name. `from __future__ import annotations` is one.
"""

import os
import sys

#: What an installer leaves in a folder for each package that it puts there.
_INSTALLED = ".dist-info"


def isolate() -> None:
    """Let this process import from `trusted_path` only."""
    sys.path[:] = trusted_path()


def trusted_path() -> list[str]:
    """The entries of `sys.path` that hold installed modules, the standard library's first.

    What stands before the standard library was put there by PYTHONPATH or by the way of calling
    (the working folder, the folder of a script): of that, only folders count that packages were
    installed into. The working folder counts only where the interpreter's own modules lie in it.
    """
    library = os.path.normcase(os.path.dirname(os.__file__))
    here = _working_folder()
    first = _start(library)
    trusted = []
    for entry in sys.path[first:]:
        is_own = os.path.normcase(entry).startswith(library) or _is_site(entry)
        if os.path.isabs(entry) and (is_own or os.path.normcase(entry) != here):
            trusted.append(entry)
    for entry in sys.path[:first]:
        if os.path.isabs(entry) and os.path.normcase(entry) != here and _is_site(entry):
            trusted.append(entry)
    return trusted


def _start(library: str) -> int:
    """The index in `sys.path` at which the interpreter's own entries begin."""
    zipped = f"python{sys.version_info[0]}{sys.version_info[1]}.zip"
    for index, entry in enumerate(sys.path):
        if os.path.normcase(entry) == library or os.path.basename(entry) == zipped:
            return index
    return 0


def _working_folder() -> str:
    try:
        return os.path.normcase(os.getcwd())
    except OSError:
        # It is gone, and nothing can be imported from it.
        return ""


def _is_site(folder: str) -> bool:
    """Whether packages were installed into a folder."""
    try:
        return any(name.endswith(_INSTALLED) for name in os.listdir(folder))
    except OSError:
        return False
