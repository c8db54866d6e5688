"""What a file's bytes say of its imports, without parsing it."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass

# These are compiled when they are first used: mostly all files are known.
_IMPORT = rb"(?m)^[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n#;]+)|import[ \t]+([^\n#;]+))"
_NAME = rb"[A-Za-z_][\w.]*"
_ALIAS = rb"\bas[ \t]+\w+"
_COMMENT = rb"#[^\n]*"
_ASSIGNED = rb"(?m)^[ \t]*(?:tf|tensorflow)((?:\.\w+)+)[ \t]*=(?!=)"
_DEFINED = rb"(?m)^(?:(?:async[ \t]+)?def|class)[ \t]+(\w+)|^(\w+)[ \t]*(?::[^=\n]+)?=(?!=)"
_PATH = rb"(?m)^[ \t]*sys\.path\.(?:append|insert)[ \t]*\((?:[ \t]*\d+[ \t]*,)?([^\n#]*)"
#: What is imported, or run, by a text.
_BY_TEXT = rb"\b(?:import_module|__import__|run_module)[ \t]*\([ \t]*[\"']([.\w]+)[\"'][ \t]*[,)]"
_RUN_PATH = rb"\brun_path[ \t]*\([ \t]*[\"'](?:\./)?([\w/]+)\.py[\"'][ \t]*[,)]"
_TEXT = rb"[\"']([^\"'\\\n]*)[\"']"
#: What may load any module of the project, but for one that it names; what starts another Python, too.
_BY_NAME = rb"\b(?:import_module|__import__|run_module|run_path)[ \t]*\("
_LOADING = (b"pkgutil", b"spec_from_file_location", b"SourceFileLoader", b"exec(")
_STARTING = (b"subprocess", b"os.system", b"os.popen", b"os.exec", b"os.spawn")
_PYTHON = (b"python", b"sys.executable")
#: Stands for any module.
ANY = "*"
#: A file that a text on one line names.
_FILE = rb"[\"'](?:[^\"'\n]*[^\"'\n\w])?(\w+)\.py\b"
_IMPORT_IN_JSON = rb'(?:"|\\n)[ \t]*((?:from|import)[ \t][^"\\]*)'
_RUN_IN_JSON = rb'(?:"|\\n)%run[ \t]+(?:\./)?([A-Za-z_]\w*)\.(?:py|ipynb)\b'
#: Also as a line of a notebook's JSON.
_EVERYTHING = rb'(?m)(?:^|"|\\n)from[ \t]+[.\w]+[ \t]+import[ \t]*\*'
#: Texts and comments; what is not closed ends with its line, or with the file.
_SAID = (
    rb"(?s)\"{3}(?:[^\"\\]|\\.|\"(?!\"\"))*(?:\"{3}|\Z)|'{3}(?:[^'\\]|\\.|'(?!''))*(?:'{3}|\Z)"
    rb"|\"(?:[^\"\\\n]|\\.)*\"?|'(?:[^'\\\n]|\\.)*'?|#[^\n]*"
)
_IMPORTING = rb"(?m)^[ \t]*(?:from|import)[ \t][^\n#]*(?:tensorflow|keras)"
#: What is called with the name of a module, and may load it.
_LOADED = (
    rb"(?:__import__|import_module|[Ll]azy\w{0,30})[ \t]{0,9}\((?:[^()]|\(\)){0,200}"
    rb"[\"']\w*(?:tensorflow|keras)"
)
#: A file that never says one of these words has nothing for the rules to look at, but for one that
#: takes names unsaid.
_WORDS = ("tensorflow", "keras")
_BYTES = tuple(word.encode() for word in _WORDS)


#: What the name of a notebook ends with.
NOTEBOOK = ".ipynb"


@dataclass(frozen=True, slots=True)
class Scan:
    """What a file imports: dotted names (with leading dots where relative), and the members that
    a `from` import may name, joined to their module. `mentions` says whether it names TensorFlow,
    `uses` whether its code does, `assigned` which full names of TensorFlow it gives a value.
    `defined` are the names that its top level binds, `searched` the folders that it adds to
    `sys.path`, as it writes them. `reached` are the first names of the modules that it may load though no
    import tells which, as it changes `sys.path`, or `ANY`; `started` the names of files that it may run
    elsewhere, as it names them, or `ANY`. `holds_tests` says whether it is one of tests by what stands in it.
    """

    imports: tuple[str, ...]
    mentions: bool
    size: int
    assigned: tuple[str, ...] = ()
    defined: frozenset[str] = frozenset()
    searched: tuple[str, ...] = ()
    reached: frozenset[str] = frozenset()
    started: frozenset[str] = frozenset()
    holds_tests: bool = False
    uses: bool = False


def scan(data: bytes) -> Scan:
    """Look at the bytes of a file; what only looks like an import does no harm."""
    found: list[str] = []
    reached: list[str] = []
    started = re.findall(_FILE, data) if b".py" in data else []
    for match in re.finditer(_IMPORT, data):
        module, members, plain = match.groups()
        if plain is not None:
            found.extend(name.decode() for name in _names(plain))
            continue
        base = module.decode("ascii", "replace")
        found.append(base)
        joint = "" if base.endswith(".") else "."
        found.extend(f"{base}{joint}{name.decode()}" for name in _names(members))
    may_load = b"import_" in data or b"run_module" in data or b"run_path" in data
    by_text = re.findall(_BY_TEXT, data) if may_load else []
    by_text += [p.replace(b"/", b".") for p in re.findall(_RUN_PATH, data)] if may_load else []
    is_open = may_load and len(re.findall(_BY_NAME, data)) > len(by_text)
    if is_open or _holds(data, _LOADING):
        reached.append(ANY)
    if _holds(data, _STARTING) and _holds(data, _PYTHON):
        started.append(ANY.encode())
    found.extend(name.decode("ascii", "replace") for name in by_text)
    assigned = tuple(f"tensorflow{name.decode()}" for name in re.findall(_ASSIGNED, data))
    defined = frozenset((a or b).decode("ascii", "replace") for a, b in re.findall(_DEFINED, data))
    added = (re.findall(_TEXT, given) for given in re.findall(_PATH, data))
    searched = tuple(b"/".join(parts).decode("ascii", "replace") for parts in added if parts)
    if b"sys.path" in data:
        reached += [name.partition(".")[0] for name in found]
    # Files of a project import the same modules, and all scans are kept.
    imports = tuple(dict.fromkeys(map(sys.intern, found)))
    mentions, uses = names_tensorflow(data), uses_tensorflow(data)
    begun = frozenset(name.decode("ascii", "replace") for name in started) - {"__init__"}
    tops = frozenset(filter(None, reached))
    return Scan(imports, mentions, len(data), assigned, defined, searched, tops, begun, uses=uses)


def _holds(data: bytes, words: tuple[bytes, ...]) -> bool:
    return any(word in data for word in words)


def names_tensorflow(code: str | bytes) -> bool:
    """Whether a file may concern TensorFlow, by what it says."""
    if isinstance(code, str):
        return any(word in code for word in _WORDS)
    return any(word in code for word in _BYTES)


def uses_tensorflow(code: str | bytes) -> bool:
    """Whether the code of a file names TensorFlow, and not its comments and texts alone.

    A text counts where it is given to what may load the module that it names.
    """
    if not names_tensorflow(code):
        return False
    data = code.encode(errors="replace") if isinstance(code, str) else code
    if re.search(_IMPORTING, data) or re.search(_LOADED, data):
        return True
    return names_tensorflow(re.sub(_SAID, b"", data))


def may_name_tensorflow(code: str | bytes) -> bool:
    """Whether a file may concern TensorFlow by what it says, or by what another one gives it: who
    takes all names of a module (`from common import *`) need not say where `tf` is from.
    """
    data = code.encode(errors="replace") if isinstance(code, str) else code
    return names_tensorflow(data) or re.search(_EVERYTHING, data) is not None


def import_lines(data: bytes) -> bytes:
    """The lines of a notebook's code that import something; its JSON is not parsed.

    What it runs by `%run` is imported too.
    """
    run = (b"import " + name for name in re.findall(_RUN_IN_JSON, data))
    return b"\n".join([*re.findall(_IMPORT_IN_JSON, data), *run])


def _names(text: bytes) -> list[bytes]:
    bare = re.sub(_ALIAS, b"", re.sub(_COMMENT, b"", text).replace(b"\\\n", b" "))
    return re.findall(_NAME, bare)
