"""Which Python runs the user's code."""

from __future__ import annotations

import os
import sys


def interpreter(given: str | None) -> str:
    """The interpreter that `--python` names, else the one that runs this tool.

    A path is seen from the working folder, since the child has another one; a link stays one, since
    it is what makes a virtual environment.
    """
    if given is None:
        return sys.executable
    has_folder = os.sep in given or (os.altsep is not None and os.altsep in given)
    return os.path.abspath(os.path.expanduser(given)) if has_folder else given
