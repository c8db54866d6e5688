"""The command line: `check` (the default command) and `rule`.

What is imported up here could come from the folder that is linted: `main` sees to that first.
"""

import atexit
import gc
import os
import sys

from tfxla_lint import isolation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

STATUS_FAILED, STATUS_INTERRUPTED, STATUS_TERMINATED = 2, 130, 143


def main(arguments: "Sequence[str] | None" = None) -> None:
    """Run the command line and exit: 0 clean, 1 findings that count, 2 the tool could not do its work.

    Without `arguments` the process is taken to be ours: it imports nothing from the working folder
    or PYTHONPATH from here on.
    """
    try:
        os.getcwd()
    except OSError as error:
        print(f"tfxla-lint: the working folder is gone: {error.strerror}", file=sys.stderr)
        sys.exit(STATUS_FAILED)
    if arguments is None:
        isolation.isolate()
        _fill_streams()
        # A short run ends before its garbage counts; what runs longer collects it in its own time.
        gc.set_threshold(100_000, 20, 20)
    from tfxla_lint import interrupts

    interrupts.listen(is_own=arguments is None)
    try:
        status = _told_again() if arguments is None else None
        if status is None:
            status = _status(arguments)
        interrupts.raise_if_interrupted()
    except KeyboardInterrupt:
        # What came up while Python ran a text, as dataclasses do, it takes for an interrupt that nobody
        # has seen to, and ends by SIGINT; until it runs another one.
        exec("")
        terminated = interrupts.was_terminated()
        print(f"tfxla-lint: {'terminated' if terminated else 'interrupted'}", file=sys.stderr)
        status = STATUS_TERMINATED if terminated else STATUS_INTERRUPTED
    except Exception as error:
        _tell_of(error, sys.argv[1:] if arguments is None else arguments)
        status = STATUS_FAILED
    if arguments is None:
        # What is left goes with the process: it need not be searched for garbage first.
        gc.freeze()
        _leave(status)
    sys.exit(status)


def _leave(status: int) -> None:
    """End the process once all is written: to take apart what lives costs more than to lint a file.

    Where something waits for the usual end (a thread, a profiler), or a stream cannot be written to,
    nothing is done.
    """
    threads = sys.modules.get("threading")
    is_alone = threads is None or threads.active_count() == 1
    if is_alone and sys.getprofile() is None and sys.gettrace() is None:
        atexit._run_exitfuncs()
        try:
            sys.stdout.flush()
            sys.stderr.flush()
        except (OSError, ValueError):
            return
        os._exit(status)


def _fill_streams() -> None:
    """Put nothing where a standard stream is closed, so that no file comes to have its number."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, os.fdopen(number, "w" if number else "r", closefd=False))


def _tell_of(error: Exception, arguments: "Sequence[str]") -> None:
    """Say in one line that the tool itself failed, and with `-v` where."""
    from contextlib import suppress

    # Standard error may be on the full disk, too.
    with suppress(OSError):
        _say_of(error, arguments)


def _say_of(error: Exception, arguments: "Sequence[str]") -> None:
    import errno
    import traceback
    from pathlib import Path

    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EFBIG, errno.EIO):
        print(f"error: {error.strerror}", file=sys.stderr)
        return
    from tfxla_lint.reporters.text import visible

    if {"-v", "--verbose"} & set(arguments):
        traceback.print_exception(error)
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    words = visible(" ".join(str(error).split()))
    print(
        f"error: internal error: {type(error).__name__}: {words[:500]}{place}; this is a bug of"
        " tfxla-lint, please report it",
        file=sys.stderr,
    )


def _told_again() -> "int | None":
    """The status of the same run as it was before, once its words are written."""
    from tfxla_lint.cache.replay import Run

    try:
        Run.own = Run(sys.argv[1:])
        known = Run.own.recall()
    except OSError:
        return None
    if known is None:
        return None
    from tfxla_lint.cli.console import emit, survive_odd_text

    survive_odd_text()
    status, told = known
    for is_error, text in told:
        emit(text, sys.stderr if is_error else sys.stdout)
    return status


def _status(arguments: "Sequence[str] | None") -> int:
    if arguments is None:
        from tfxla_lint.deferred import defer_methods, look_up_members_at_once

        defer_methods()
        look_up_members_at_once()
    missing = _missing_package()
    if missing is not None:
        print(f"tfxla-lint: it needs the package {missing}: pip install {missing}", file=sys.stderr)
        return STATUS_FAILED

    import click

    from tfxla_lint.cli.console import survive_odd_text
    from tfxla_lint.cli.group import cli

    survive_odd_text()
    try:
        status = cli.main(
            None if arguments is None else list(arguments),
            prog_name="tfxla-lint",
            standalone_mode=False,
        )
    except click.exceptions.Exit as stop:
        status = stop.exit_code
    except click.ClickException as error:
        from tfxla_lint.reporters.text import lines_of

        error.message = lines_of(error.message)  # type: ignore[misc]
        error.show()
        return STATUS_FAILED
    except click.Abort:
        raise KeyboardInterrupt from None
    return status if isinstance(status, int) else 0


def _missing_package() -> str | None:
    """The first package that the tool cannot do without and that is not installed."""
    from importlib.util import find_spec

    needed = ["click", "libcst", "packaging", "pathspec"]
    if sys.version_info < (3, 11):
        needed.append("tomli")
    return next((name for name in needed if find_spec(name) is None), None)
