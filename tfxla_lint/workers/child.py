"""What a worker process runs, and how messages go to it and back.

It is started as a file, by an interpreter that sees the standard library only: the first message
says where all else may be imported from. The second one makes the function that is applied to
every further one.
"""

from __future__ import annotations

import _thread
import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from queue import SimpleQueue
from types import FrameType, ModuleType
from typing import IO, NoReturn

#: Where a package lies: the file that is run for it (None where it has none), and its folders.
Place = tuple[str | None, list[str] | None]
#: How long a worker without a parent may take to put away what it has begun.
_GRACE_SECONDS = 3.0
_HEADER_BYTES = 8


def send(stream: IO[bytes], value: object) -> None:
    """Write one message into a file without a buffer; raises OSError where nobody reads it."""
    data = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    rest = memoryview(len(data).to_bytes(_HEADER_BYTES, "big") + data)
    while rest:
        rest = rest[stream.write(rest) :]


def receive(stream: IO[bytes]) -> bytes:
    """The next message, still pickled; raises EOFError where there is none any more."""
    return _read(stream, int.from_bytes(_read(stream, _HEADER_BYTES), "big"))


def _read(stream: IO[bytes], size: int) -> bytes:
    parts: list[bytes] = []
    while size:
        part = stream.read(size)
        if not part:
            raise EOFError("the other process has ended")
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


class _Given:
    """Finds the packages of which the parent says where they lie."""

    def __init__(self, places: Mapping[str, Place]) -> None:
        self._places = places

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """What the import system asks a finder for."""
        if name not in self._places:
            return None
        file, folders = self._places[name]
        if file is not None:
            return spec_from_file_location(name, file, submodule_search_locations=folders)
        spec = ModuleSpec(name, None, is_package=True)
        spec.submodule_search_locations = folders
        return spec


def main() -> None:
    """Answer messages until the parent closes the pipe or dies."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _end)
    questions = os.fdopen(os.dup(0), "rb", 0)
    answers = os.fdopen(os.dup(1), "wb", 0)
    _keep_answers_clean()
    messages: SimpleQueue[bytes | None] = SimpleQueue()
    threading.Thread(target=_listen, args=(questions, messages), daemon=True).start()
    # Either of these says that the parent has no more use for answers.
    with suppress(SystemExit, BrokenPipeError):
        _serve(messages, answers)
    with suppress(OSError):
        print(end="", flush=True)
    os._exit(0)


def _serve(messages: SimpleQueue[bytes | None], answers: IO[bytes]) -> None:
    path, places = pickle.loads(messages.get() or _end())
    sys.path[:] = path
    sys.meta_path.insert(0, _Given(places))
    function = pickle.loads(messages.get() or _end())()
    send(answers, None)
    while (message := messages.get()) is not None:
        send(answers, function(pickle.loads(message)))


def _keep_answers_clean() -> None:
    """Lead what a rule prints away from the pipe that the answers go through."""
    try:
        os.dup2(2, 1)
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _listen(questions: IO[bytes], messages: SimpleQueue[bytes | None]) -> None:
    """Hand messages on; once there can be none, unwind what the main thread does.

    What it does may hold a half-written file that it removes on its way out.
    """
    try:
        while True:
            messages.put(receive(questions))
    except (EOFError, OSError):
        messages.put(None)
        _thread.interrupt_main(signal.SIGTERM)
        time.sleep(_GRACE_SECONDS)
        os._exit(1)


def _end(number: int = 0, frame: FrameType | None = None) -> NoReturn:
    # Raised within what Python calls for itself it would be dropped, with words about that.
    sys.unraisablehook = lambda _: None
    raise SystemExit


if __name__ == "__main__":
    main()
