"""Which tool this is: the contents of its own files, of its plug-ins' and of what it parses with.

The contents are read again only when a file's size or time has changed; the catalogue of rules, which
takes as long to read as linting some files, is kept beside them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from importlib.util import find_spec

from tfxla_lint.cache.codec import decode, encode
from tfxla_lint.cache.store import Store
from tfxla_lint.digests import digest
from tfxla_lint.registry import Catalogue, RuleInfo, adopt, rule_folders

_PARTS = (".py", ".json")


def known_tool(store: Store, read: Callable[[], Catalogue]) -> tuple[str, Catalogue]:
    """What names this very tool, with its plug-ins, and the catalogue that `read` gives.

    A catalogue with rules of plug-ins is read each time, since that is how they are found.
    """
    own = _own()
    key = digest(f"tool\n{_state(own)}\n{sys.version}".encode("utf-8", "surrogateescape"))
    document = store.get(key)
    try:
        contents, rules = document
        catalogue = Catalogue(decode(RuleInfo, rule) for rule in rules)
        adopt(catalogue)
    except (TypeError, ValueError):
        catalogue = read()
        contents = _contents(own)
        is_own = all(rule.module.startswith("tfxla_lint.") for rule in catalogue.rules)
        store.put(key, [contents, [encode(rule) for rule in catalogue.rules] if is_own else None])
    origins = sorted({rule.origin for rule in catalogue.rules})
    told = f"{contents}\n{_contents(_plugins(catalogue))}\n{origins}"
    return digest(told.encode()), catalogue


def _own() -> list[str]:
    return [*rule_folders(), os.path.dirname(os.path.dirname(__file__)), *_parser()]


def own_contents() -> str:
    """What names this tool without its plug-ins, the same wherever it is installed."""
    return _contents(_own())


def tool_parts(catalogue: Catalogue) -> set[str]:
    """The files and the folders that this tool and its plug-ins come from, or may come from."""
    files = [path for path, _ in _files([*_own(), *_plugins(catalogue)])]
    return {*files, *map(os.path.dirname, files), *filter(os.path.exists, sys.path)}


def _parser() -> list[str]:
    spec = find_spec("libcst")
    origin = spec.origin if spec is not None else None
    return [os.path.join(os.path.dirname(origin), "_version.py")] if origin is not None else []


def _plugins(catalogue: Catalogue) -> list[str]:
    """Where the packages lie that rules of others come from, once they are imported."""
    names = {rule.module.partition(".")[0] for rule in catalogue.rules} - {"tfxla_lint"}
    specs = (getattr(sys.modules.get(name), "__spec__", None) for name in sorted(names))
    found = [spec.submodule_search_locations or [spec.origin] for spec in specs if spec is not None]
    return [str(place) for places in found for place in places]


def _files(places: Iterable[str]) -> Iterator[tuple[str, os.stat_result]]:
    for place in places:
        if os.path.isfile(place):
            yield place, os.stat(place)
        pending = [place]
        while pending:
            try:
                with os.scandir(pending.pop()) as entries:
                    for entry in entries:
                        if entry.name.endswith(_PARTS):
                            yield entry.path, entry.stat()
                        elif "." not in entry.name and entry.name[0] != "_" and entry.is_dir():
                            pending.append(entry.path)
            except OSError:
                continue


def _state(places: Iterable[str]) -> str:
    """What changes when a file of the tool does, or when packages are installed or removed."""
    files = sorted((path, s.st_size, s.st_mtime_ns) for path, s in _files(places))
    folders = [(path, os.stat(path).st_mtime_ns) for path in sys.path if os.path.exists(path)]
    return f"{files}{folders}"


def _contents(places: Iterable[str]) -> str:
    """What changes when a file of the tool gets other contents or another name."""
    parts: list[str] = []
    for place in places:
        for path, _ in sorted(_files([place])):
            with open(path, "rb") as file:
                parts.append(f"{os.path.relpath(path, place)}={digest(file.read())}")
    return digest("\n".join(parts).encode("utf-8", "surrogateescape"))
