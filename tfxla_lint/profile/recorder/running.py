"""Runs the program as Python itself would, with the recorder around it."""

from __future__ import annotations

import argparse
import atexit
import os
import runpy
import signal
import sys
import types
from importlib.machinery import SourceFileLoader
from typing import Any

from tfxla_lint.profile.recorder import tracing
from tfxla_lint.profile.recorder.importing import Compiler, install
from tfxla_lint.profile.recorder.observing import Observer

#: The signal on which the recording is written.
LAST_CALL = getattr(signal, "SIGVTALRM", signal.SIGTERM)

_FOLDER = os.path.dirname(os.path.abspath(__file__))


def main(*arguments: str) -> None:
    """Run the program that the command line names."""
    options = _parser().parse_args(arguments)
    # A program that uses the tool itself gets the real one.
    for name in [name for name in sys.modules if name.partition(".")[0] == "tfxla_lint"]:
        del sys.modules[name]
    observer = Observer(options.root, options.output)
    compiler = Compiler(observer)
    install(observer, compiler, tracing.hooks(observer))
    _write_at_end(observer)
    _Run(options.program, compiler).run()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("recorder", allow_abbrev=False)
    parser.add_argument("--root", required=True, help="the folder of the program's own code")
    parser.add_argument("--output", required=True, help="the file to write")
    parser.add_argument("program", nargs=argparse.REMAINDER, help="-- and the program")
    return parser


def _write_at_end(observer: Observer) -> None:
    """Write the file however the process ends, as far as that can be foreseen."""
    atexit.register(observer.write, True)
    leave_at_once = os._exit

    def leave(status: int) -> Any:
        observer.write(True)
        leave_at_once(status)

    os._exit = leave
    if os.name == "posix":
        _write_on_termination(observer)


def _write_on_termination(observer: Observer) -> None:
    """Write once more when the parent is about to end the process.

    It says so by a signal that programs leave alone: a handler of SIGTERM would be inherited by
    forked processes, and lose the signal when it comes at once.
    """

    def write(number: int, frame: Any) -> None:
        observer.write()

    signal.signal(LAST_CALL, write)


class _Run:
    """One run of a program: `train.py ...`, `-m package ...` or `-c code ...`."""

    def __init__(self, program: list[str], compiler: Compiler) -> None:
        self._program = program[1:] if program[:1] == ["--"] else program
        self._compiler = compiler
        self._main = types.ModuleType("__main__")
        self._main.__dict__["__builtins__"] = sys.modules["builtins"]

    def run(self) -> None:
        """Run it, and end as it ends."""
        sys.modules["__main__"] = self._main
        error: BaseException | None = None
        try:
            self._start()
        except BaseException as raised:
            error = raised
        if isinstance(error, SystemExit):
            sys.exit(error.code)
        if error is not None:
            _die_of(error)

    def _start(self) -> None:
        first = self._program[0]
        if first == "-m":
            sys.argv = ["-m", *self._program[2:]]
            self._put_on_path(os.getcwd())
            runpy._run_module_as_main(self._program[1])  # type: ignore[attr-defined]
        elif first == "-c":
            sys.argv = ["-c", *self._program[2:]]
            self._put_on_path("")
            code = compile(self._program[1], "<string>", "exec", dont_inherit=True)
            exec(code, self._main.__dict__)
        elif os.path.isdir(first):
            sys.argv = self._program
            runpy.run_path(first, run_name="__main__")
        else:
            self._run_script(os.path.abspath(first))

    def _run_script(self, path: str) -> None:
        sys.argv = self._program
        self._put_on_path(os.path.dirname(os.path.realpath(path)))
        known = {"__file__": path, "__cached__": None}
        self._main.__dict__.update(known, __loader__=SourceFileLoader("__main__", path))
        exec(self._compiler.code(path), self._main.__dict__)

    def _put_on_path(self, folder: str) -> None:
        """Put a folder before all else, unless Python was told not to."""
        if not (sys.flags.isolated or getattr(sys.flags, "safe_path", False)):
            sys.path.insert(0, folder)


def _die_of(error: BaseException) -> None:
    """Print the traceback as Python would, without the recorder's own frames, and end."""
    seen: list[BaseException] = []
    inner: BaseException | None = error
    while inner is not None and inner not in seen:
        seen.append(inner)
        inner.__traceback__ = _without_us(inner.__traceback__)
        inner = inner.__cause__ or inner.__context__
    sys.excepthook(type(error), error, error.__traceback__)
    sys.exit(130 if isinstance(error, KeyboardInterrupt) else 1)


def _without_us(trace: types.TracebackType | None) -> types.TracebackType | None:
    frames: list[types.TracebackType] = []
    while trace is not None:
        if os.path.dirname(trace.tb_frame.f_code.co_filename) != _FOLDER:
            frames.append(trace)
        trace = trace.tb_next
    for index, frame in enumerate(frames):
        frame.tb_next = frames[index + 1] if index + 1 < len(frames) else None
    return frames[0] if frames else None
