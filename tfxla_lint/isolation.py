"""Keeps the search path for modules clear of what a linted project could put on it.

Whatever this module imports is loaded before it runs: an import up here would itself take the
project's file of that name. `from __future__ import annotations` is one.
"""

import os
import sys

#: What an installer leaves in a folder for each package that it puts there.
_INSTALLED = ".dist-info"

#: What `isolate` took off the search path, in its order.
_dropped = []  # type: list[str]


def isolate() -> None:
    """Let this process import from `trusted_path` only."""
    trusted = trusted_path()
    # What stands before the standard library may be what is linted: of that nothing is looked for.
    behind = sys.path[_start(os.path.normcase(os.path.dirname(os.__file__))) :]
    known = [*trusted, *_dropped]
    _dropped.extend(entry for entry in behind if os.path.isabs(entry) and entry not in known)
    sys.path[:] = trusted


def reach(package: str) -> bool:
    """Look for a package that was asked for by name (a plug-in) where `isolate` looks no longer.

    The folder that holds it becomes the last of the search path. Returns whether there is one.
    """
    for entry in _dropped:
        place = os.path.join(entry, package)
        if os.path.isfile(place + ".py") or os.path.isfile(os.path.join(place, "__init__.py")):
            _dropped.remove(entry)
            sys.path.append(entry)
            return True
    return False


def trusted_path() -> list[str]:
    """The entries of `sys.path` that hold installed modules, the standard library's first.

    What stands before the standard library was put there by PYTHONPATH or by the way of calling
    (the working folder, the folder of a script): of that, only folders count that packages were
    installed into, and that lie outside of what may be linted: a project can hold what an installer
    leaves. The working folder counts only where the interpreter's own modules lie in it.
    Of what `.pth` files add behind it, such as the root of a project that is installed to be edited,
    only such folders count, and the one that this package comes from.
    """
    library = os.path.normcase(os.path.dirname(os.__file__))
    linted = _linted_folders()
    ours = os.path.normcase(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    first = _start(library)
    trusted = []
    for entry in sys.path[first:]:
        place = os.path.normcase(entry)
        is_own = place.startswith(library) or _is_zip(entry) or _is_site(entry)
        if os.path.isabs(entry) and (is_own or place == ours):
            trusted.append(entry)
    for entry in sys.path[:first]:
        is_ours = os.path.normcase(entry) == ours and ours != _working_folder()
        if os.path.isabs(entry) and _is_site(entry) and (is_ours or not _is_in(entry, linted)):
            trusted.append(entry)
    return trusted


def _start(library: str) -> int:
    """The index in `sys.path` at which the interpreter's own entries begin."""
    zipped = f"python{sys.version_info[0]}{sys.version_info[1]}.zip"
    for index, entry in enumerate(sys.path):
        if os.path.normcase(entry) == library or os.path.basename(entry) == zipped:
            return index
    return 0


def _is_zip(entry: str) -> bool:
    """Whether an entry is the archive that may hold the standard library."""
    return entry.endswith(".zip")


def _working_folder() -> str:
    try:
        return os.path.normcase(os.getcwd())
    except OSError:
        # It is gone, and nothing can be imported from it.
        return ""


def _linted_folders() -> list[str]:
    """The working folder, what is named on the command line, and the repositories that these lie in."""
    named = [word for word in sys.argv[1:] if not word.startswith("-")]
    found = []
    for place in [_working_folder(), *named]:
        # From a working folder that is gone nothing is reached that is named relative to it.
        if place and os.path.exists(place):
            found.append(_repository(os.path.realpath(place)))
    return found


def _repository(folder: str) -> str:
    """The nearest folder around one that is a repository; the folder itself where there is none."""
    around = folder
    while not os.path.exists(os.path.join(around, ".git")):
        above = os.path.dirname(around)
        if above == around:
            return folder
        around = above
    return around


def _is_in(entry: str, folders: "list[str]") -> bool:
    """Whether an entry is one of some folders, or lies in one."""
    place = os.path.normcase(os.path.realpath(entry))
    starts = [os.path.normcase(folder).rstrip(os.sep) for folder in folders]
    return any(place == start or place.startswith(start + os.sep) for start in starts)


def _is_site(folder: str) -> bool:
    """Whether packages were installed into a folder."""
    try:
        return any(name.endswith(_INSTALLED) for name in os.listdir(folder))
    except OSError:
        return False
