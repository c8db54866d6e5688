"""Runs a Python program and records how its functions are called, traced and timed.

python tfxla_lint/profile/recorder --root FOLDER --output FILE [options] -- train.py --steps 20
python tfxla_lint/profile/recorder --root FOLDER --output FILE [options] -- -m pytest tests
"""

import os
import sys
import types


def _lend_packages():
    # type: () -> dict[str, types.ModuleType]
    """Make the recorder's modules importable, without the tool being installed here."""
    folder = os.path.dirname(os.path.abspath(__file__))
    lent = {}
    for name in ("tfxla_lint.profile.recorder", "tfxla_lint.profile", "tfxla_lint"):
        lent[name] = types.ModuleType(name)
        lent[name].__path__ = [folder]
        folder = os.path.dirname(folder)
    sys.modules.update(lent)
    return lent


def _start():
    # type: () -> None
    folder = os.path.dirname(os.path.abspath(__file__))
    has_path = bool(sys.path) and os.path.abspath(sys.path[0]) == folder
    if has_path:
        del sys.path[0]
    lent = _lend_packages()
    from tfxla_lint.profile.recorder.running import main

    # A program that uses the tool itself gets the real one.
    for name in [name for name in sys.modules if name.partition(".")[0] == "tfxla_lint"]:
        del sys.modules[name]
    lent.clear()
    main(sys.argv[1:], has_path)


try:
    _start()
except Exception as error:
    # The program's own exceptions end it in there: this one is the recorder's.
    words = (sys.executable, type(error).__name__, error)
    sys.stderr.write("error: the recorder failed under {}: {}: {}\n".format(*words))
    sys.exit(2)
