"""The names that a project teaches: what each is like, wherever it is defined or imported."""

from __future__ import annotations

from collections.abc import Mapping

from tfxla_lint.semantics.scopes import Scope, ScopeKind
from tfxla_lint.settings.taught import Taught

#: A name that is taught goes by one of these, of which the table of behaviour knows more.
PREFIX = "taught."
TRACES = PREFIX + "traces"


class TaughtNames:
    """What stands for a name that is taught; `files` are the paths of modules, by their scopes."""

    def __init__(self, taught: Taught, files: Mapping[int, str]) -> None:
        rows = [(name, key) for key, names in taught.rows() for name in names]
        self._names = {name: PREFIX + key for name, key in rows}
        self._files = files if rows else {}
        self._modules: dict[int, tuple[str, ...]] = {}

    def of(self, name: str) -> str:
        """What stands for a full name; the name itself where nothing is taught of it."""
        if not self._names:
            return name
        known = self._names.get(name)
        if known is not None:
            return known
        head, _, last = name.rpartition(".")
        # A constructor beside the class: `Records.open(path)`.
        outer = self._names.get(head)
        return f"{outer}.{last}" if outer is not None else name

    def of_definition(self, scope: Scope, *names: str) -> str | None:
        """What stands for a function or class of the project, or a method of one, if anything does.

        The name may begin at any folder above the file: projects are found in many ways.
        """
        if not self._files or scope.kind is not ScopeKind.MODULE:
            return None
        parts = self._module(scope)
        ends = (".".join((*parts[start:], *names)) for start in range(len(parts)))
        return next((self._names[end] for end in ends if end in self._names), None)

    def _module(self, scope: Scope) -> tuple[str, ...]:
        key = id(scope)
        if key not in self._modules:
            parts = self._files.get(key, "").replace("\\", "/").removesuffix(".py").split("/")
            self._modules[key] = tuple(parts[:-1] if parts[-1] == "__init__" else parts)
        return self._modules[key]
