"""Tells the user's code from Python's, from the tool's and from what is installed."""

from __future__ import annotations

import functools
import os
import sys
import sysconfig
from typing import Any, Collection, Dict, Optional, Set

#: Where packages are installed, and where Python's own modules and the tool's lie.
_INSTALLED = ("site-packages", "dist-packages")
_FOREIGN = tuple(
    os.path.join(folder, "")
    for folder in (
        sysconfig.get_path("stdlib"),
        sysconfig.get_path("platstdlib"),
        os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))),
    )
)


@functools.lru_cache(maxsize=1 << 16)
def is_users(file: str) -> bool:
    """Whether a file of code is the user's."""
    is_installed = any(os.sep + name + os.sep in file for name in _INSTALLED)
    return not is_installed and not file.startswith((*_FOREIGN, "<frozen"))


#: Modules that were seen not to be the user's, by name, and their names by file: there are thousands.
_others: Dict[str, Any] = {}
_by_file: Dict[str, Set[str]] = {}


def own_modules(own: Collection[str] = (), names: Optional[Set[str]] = None) -> Set[str]:
    """The names of the modules that are the user's, or whose files are among `own`; of those `names`."""
    found = set()
    asked = sys.modules if names is None else {n: sys.modules[n] for n in names if n in sys.modules}
    for name, module in [(n, m) for n, m in list(asked.items()) if _others.get(n) is not m]:
        file = getattr(module, "__file__", None) or ""
        if file and (name.startswith("__autograph_generated") or not is_users(file)):
            _others[name] = module
            _by_file.setdefault(file, set()).add(name)
        elif file:
            found.add(name)
    for name in [name for file in own for name in _by_file.get(file, ())]:
        if sys.modules.get(name) is _others[name]:
            found.add(name)
    return found if names is None else found & names
