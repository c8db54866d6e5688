"""Entry of the worker: `python -I .../verify/worker`, jobs on standard input.

The interpreter need not have this package installed. Its modules import one another by their full
names, so empty packages of these names are put up first, and the rest is found in this folder.
"""

from __future__ import annotations

import os
import sys
import types

HERE = os.path.dirname(os.path.abspath(__file__))


def put_up_packages() -> None:
    """Make `tfxla_lint.verify.worker` importable, and nothing else of `tfxla_lint`."""
    for name in ("tfxla_lint", "tfxla_lint.verify", "tfxla_lint.verify.worker"):
        module = types.ModuleType(name)
        module.__path__ = [HERE] if name.endswith("worker") else []
        sys.modules[name] = module


if __name__ == "__main__":
    put_up_packages()
    from tfxla_lint.verify.worker.service import main

    main()
