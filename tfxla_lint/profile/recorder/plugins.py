"""What a plug-in of the recorder does: a Python file that `--plugin` names."""

from __future__ import annotations

from typing import Any


class Plugin:
    """Looks at the values of some calls. A plug-in file defines a class `Plugin` with these methods.

    The file is run in the interpreter of the program, before the program. It finds this class as the
    global name `Base`, to derive from; its own is called with what `--plugin-options` holds. What
    methods raise is dropped, so they should catch what they must know of. `sampler.py` is one.
    """

    def __init__(self, options: Any) -> None:
        self.options = options

    def tensorflow_imported(self, tensorflow: Any) -> None:
        """TensorFlow has been imported, and nothing of it has been used yet."""

    def wants(self, path: str, qualname: str) -> bool:
        """Whether to observe the values of this function; `path` is relative to the root."""
        return False

    def entered(self, path: str, qualname: str, mode: str, arguments: dict[str, Any]) -> Any:
        """A wanted function is called outside of all traces: eagerly, or as a `tf.function`.

        `mode` is "eager" or "graph"; `arguments` are by the names of the parameters. Returns None,
        or an empty list that is handed to `left`.
        """
        return None

    def left(self, token: list[Any]) -> None:
        """The call has ended: `token` holds its result, or nothing if it raised."""

    def finished(self, main: dict[str, Any], error: Any) -> None:
        """The program has ended; `main` are the globals of its main module."""
