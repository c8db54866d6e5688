"""Runs one program after another in one process, each in a state like that of a fresh one."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import linecache
import logging
import os
import shutil
import sys
import tempfile
import types
import warnings
from typing import Any, Callable, Collection, Dict, Iterator, List, Optional, Sequence

import numpy as np
import tensorflow as tf

from tfxla_lint.sandbox.inside.entropy import PACE, repeatable
from tfxla_lint.sandbox.inside.kept import kept_process, leave_if_forked
from tfxla_lint.sandbox.inside.owners import is_users, own_modules
from tfxla_lint.sandbox.inside.patches import taken_back
from tfxla_lint.sandbox.inside.seeds import seed_all

#: None that programs seed their generators with: a seed that is lost must not come out the same.
SEED = 15_485_863
#: What the user's settings of Keras say.
_EPSILON, _IMAGES = tf.keras.backend.epsilon(), tf.keras.backend.image_data_format()
#: So many bytes of what a program prints are kept.
_PRINTED = 1 << 22


@contextlib.contextmanager
def program_run(
    module: types.ModuleType,
    argv: Sequence[str],
    search: Sequence[str] = (),
    folder: Optional[str] = None,
    seed: int = SEED,
    eager: bool = False,
    pace: float = PACE,
    own: Collection[str] = (),
) -> Iterator[Dict[str, str]]:
    """Everything put back afterwards that running a program may change; yields what is printed.

    The module stands for the program. Without a `folder` it works in one that goes away; `own` are
    files of the user's wherever they lie.
    """
    reset(seed, eager)
    with contextlib.ExitStack() as stack:
        stack.enter_context(taken_back())
        stack.enter_context(kept_process())
        stack.enter_context(repeatable(seed, pace))
        texts = stack.enter_context(captured())
        stack.enter_context(own_place(argv, search, folder, own))
        stack.enter_context(np.printoptions())
        stack.enter_context(np.errstate())
        stack.enter_context(warnings.catch_warnings())
        # A library warns once per process, so the second of two programs would look different.
        warnings.simplefilter("ignore")
        sys.modules[module.__name__] = module
        yield texts


def ending(action: Callable[[], Any]) -> Optional[BaseException]:
    """The exception that something of the user's ends with; none for an exit without a status."""
    try:
        action()
    except SystemExit as stop:
        return stop if stop.code else None
    except BaseException as error:
        if type(error).__module__.startswith("tfxla_lint."):
            raise  # That is for whoever runs the program.
        # A program may raise an interrupt of its own: those of the user end this process from outside.
        return error
    finally:
        leave_if_forked()
    return None


def reset(seed: int, eager: bool) -> None:
    """Bring Python, NumPy, TensorFlow and Keras to the state a fresh process would be in."""
    tf.keras.backend.clear_session()
    tf.keras.backend.set_floatx("float32")
    tf.keras.backend.set_epsilon(_EPSILON)
    tf.keras.backend.set_image_data_format(_IMAGES)
    _forget_policy()
    tf.config.run_functions_eagerly(eager)
    tf.config.optimizer.set_jit(False)
    tf.summary.experimental.set_step(None)
    tf.get_logger().setLevel("ERROR")
    root = logging.getLogger()
    root.handlers.clear()
    root.setLevel(logging.WARNING)
    linecache.clearcache()
    gc.collect()
    # What outlives its program (TensorFlow keeps graphs) and what is loaded stays for good; the next
    # collections, which would else take longer than most programs, need not look at it.
    gc.freeze()
    # Draws start anew with it.
    seed_all(seed)


def _forget_policy() -> None:
    """Leave no dtype policy set: one that is would outlive the program's own `set_floatx`."""
    with contextlib.suppress(TypeError, ValueError):
        # Keras 3 knows no None; there `clear_session` has forgotten it.
        tf.keras.mixed_precision.set_global_policy(None)


def flush_all() -> None:
    """Push out what Python's and C's streams still hold."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()
    with contextlib.suppress(Exception):
        ctypes.CDLL(None).fflush(None)


@contextlib.contextmanager
def captured() -> Iterator[Dict[str, str]]:
    """Catch what is written to file descriptors 1 and 2: tf.print does not pass Python's streams."""
    texts: Dict[str, str] = {"stdout": "", "stderr": ""}
    flush_all()
    with contextlib.ExitStack() as stack:
        files = {}
        for descriptor, name in ((1, "stdout"), (2, "stderr")):
            files[name] = stack.enter_context(tempfile.TemporaryFile())
            saved = os.dup(descriptor)
            stack.callback(os.close, saved)
            stack.callback(os.dup2, saved, descriptor)
            os.dup2(files[name].fileno(), descriptor)
        try:
            yield texts
        finally:
            leave_if_forked()
            flush_all()
            for name, file in files.items():
                file.seek(0)
                texts[name] = file.read(_PRINTED).decode("utf-8", "replace")


#: The folder in which programs work, and that of their temporary files.
_folders: List[str] = []


@contextlib.contextmanager
def _fresh_folders() -> Iterator[str]:
    """Empty folders, at the same paths for each program; temporary files get the same names, too."""
    if not _folders:
        root = tempfile.mkdtemp(prefix="program-")
        _folders.extend(os.path.join(root, name) for name in ("run", "temporary"))
    saved = tempfile.tempdir
    for path in _folders:
        os.makedirs(path, exist_ok=True)
    tempfile.tempdir = _folders[1]
    tempfile._name_sequence = _Names()  # type: ignore[attr-defined]
    try:
        yield _folders[0]
    finally:
        tempfile.tempdir = saved
        tempfile._name_sequence = None  # type: ignore[attr-defined]
        for path in _folders:
            try:
                # Most programs write no files.
                os.rmdir(path)
            except OSError:
                shutil.rmtree(path, ignore_errors=True)


class _Names:
    """Names of temporary files: those of the user's are the same for each program."""

    def __init__(self) -> None:
        self._plain = tempfile._RandomNameSequence()  # type: ignore[attr-defined]
        self._count = 0

    def __iter__(self) -> _Names:
        return self

    def __next__(self) -> str:
        frame = sys._getframe(1)
        while frame.f_back is not None and frame.f_code.co_filename == tempfile.__file__:
            frame = frame.f_back
        if not is_users(frame.f_code.co_filename):
            return str(next(self._plain))
        self._count += 1
        return f"{self._count:08d}"


def watched_folders() -> List[str]:
    """The folders in which a program that runs now is expected to write."""
    return [os.getcwd(), _folders[1]]


@contextlib.contextmanager
def own_place(
    argv: Sequence[str], search: Sequence[str], folder: Optional[str], own: Collection[str]
) -> Iterator[None]:
    """A working directory of its own; argv, path, modules, environment are put back afterwards."""
    saved = (list(sys.argv), list(sys.path), dict(sys.modules), dict(os.environ), os.getcwd())
    main = sys.modules["__main__"]
    streams = (sys.stdout, sys.stderr, sys.stdin)
    sys.argv = list(argv)
    sys.path[:0] = search
    # Its cache is the one thing that pytest writes by itself.
    os.environ["PYTEST_ADDOPTS"] = os.environ.get("PYTEST_ADDOPTS", "") + " -p no:cacheprovider"
    with _fresh_folders() as place:
        os.chdir(folder or place)
        try:
            yield
        finally:
            sys.argv, sys.path[:], modules, environment, cwd = saved
            os.chdir(cwd)
            sys.stdout, sys.stderr, sys.stdin = streams
            sys.modules["__main__"] = main
            for name in own_modules(own, sys.modules.keys() - modules.keys()):
                sys.modules.pop(name, None)
            for name, module in modules.items():
                if sys.modules.get(name) is not module:
                    sys.modules[name] = module
            os.environ.clear()
            os.environ.update(environment)
