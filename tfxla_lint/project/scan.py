"""What a file's bytes say of its imports, without parsing it."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import dataclass

# These are compiled when they are first used: mostly all files are known.
_LETTER = rb"[\w\x80-\xff]"
_MODULE = rb"(?:\.[ \t]*)*(?:%b+(?:[ \t]*\.[ \t]*%b+)*)?" % (_LETTER, _LETTER)
_LISTED = rb"\([^)#]*(?:#[^\n]*\n[^)#]*)*\)"
_IMPORT = (
    rb"(?m)(?:^(?:\xef\xbb\xbf)?[ \t\f]*|[;:][ \t]*)(?:"
    rb"from[ \t]+(%b)[ \t]*(?<=[. \t])import\b[ \t]*(%b|[^\n#;]+)|import[ \t]+([^\n#;]+))"
    % (_MODULE, _LISTED)
)
_NAME = rb"[A-Za-z_\x80-\xff][\w.\x80-\xff]*"
_SPACED = rb"[ \t]*\.[ \t]*"
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
_BY_NAME = rb"\b(?:import_module|__import__|run_module|run_path)\b"
_NAMED = rb"\bimport[ \t(]+import_module\b(?![ \t]+as\b)"
_LOADING = (
    b"pkgutil", b"spec_from_file_location", b"SourceFileLoader", b"exec(", b"exec_module",
    b"load_source", b"load_module", b"pydoc", b"EntryPoint", b"iter_entry_points", b"resolve_name",
    b"loadTestsFrom", b"dictConfig", b"!!python",
)  # fmt: skip
#: A module that a text imports, to be run by something else.
_SAID_IMPORT = rb"[\"'][^\"'\n]*\bimport[ \t]+(%b+)" % _LETTER
_STARTERS = (b"subprocess", b"system", b"popen", b"exec", b"spawn")
_STARTING = (
    rb"\bsubprocess\b|\b(?:system|popen|exec[lv]p?e?|spawn\w*|posix_spawn)[ \t]*\("
    rb"|\bimport[ \t(]+(?:system|popen)\b"
)
_PYTHON = rb"[\"'][^\"'\n]*\bpython|\bsys\.executable\b"
#: Stands for any module.
ANY = "*"
#: A file that a text on one line names.
_FILE = rb"[\"'](?:[^\"'\n]*[^\"'\n\w])?(\w+)\.py\b"
_IMPORT_IN_JSON = rb'(?:"|\\n)[ \t]*((?:from|import)[ \t][^"\\]*)'
#: What a cell of a notebook runs in its own process, and what in another one.
_RUN = rb"(?m)^[ \t]*%run[ \t]+(?:-[a-z]+[ \t]+)*(?:\./)?([\w/\x80-\xff]+)"
_COMMAND = rb"(?m)^[ \t]*!(.*)$"
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
    data = data.replace(b"\\\r\n", b" ").replace(b"\\\n", b" ") if b"\\" in data else data
    for match in re.finditer(_IMPORT, data):
        module, members, plain = match.groups()
        if plain is not None:
            found.extend(_text(name) for name in _names(plain))
            continue
        base = _text(re.sub(rb"[ \t]", b"", module))
        found.append(base)
        joint = "" if base.endswith(".") else "."
        found.extend(f"{base}{joint}{_text(name)}" for name in _names(members))
    reached: list[str] = []
    started = list(map(_text, re.findall(_FILE, data))) if b".py" in data else []
    by_text, is_open = _loaded_by_name(data)
    found.extend(map(_text, by_text))
    if is_open or _holds(data, _LOADING):
        reached.append(ANY)
    # Few files have one of the words: without any the whole file need not be gone through twice more.
    if _holds(data, _STARTERS) and re.search(_STARTING, data) and re.search(_PYTHON, data):
        started.append(ANY)
    reached += map(_text, re.findall(_SAID_IMPORT, data))
    assigned = tuple(f"tensorflow{name.decode()}" for name in re.findall(_ASSIGNED, data))
    defined = frozenset((a or b).decode("ascii", "replace") for a, b in re.findall(_DEFINED, data))
    added = (re.findall(_TEXT, given) for given in re.findall(_PATH, data))
    searched = tuple(b"/".join(parts).decode("ascii", "replace") for parts in added if parts)
    if b"sys.path" in data:
        reached += [name.partition(".")[0] for name in found]
    # Files of a project import the same modules, and all scans are kept.
    imports = tuple(dict.fromkeys(map(sys.intern, found)))
    mentions, uses = names_tensorflow(data), uses_tensorflow(data)
    tops, begun = frozenset(filter(None, reached)), frozenset(started) - {"__init__"}
    return Scan(imports, mentions, len(data), assigned, defined, searched, tops, begun, uses=uses)


def _loaded_by_name(data: bytes) -> tuple[list[bytes], bool]:
    """The modules that are loaded by a text, and whether any may be, by a name that is computed."""
    if not (b"import_" in data or b"run_module" in data or b"run_path" in data):
        return [], False
    found = re.findall(_BY_TEXT, data)
    found += [path.replace(b"/", b".") for path in re.findall(_RUN_PATH, data)]
    # Each call by a text names what it calls, and so does the import of that.
    meant = len(found) + len(re.findall(_NAMED, data))
    return found, len(re.findall(_BY_NAME, data)) > meant


def _holds(data: bytes, words: tuple[bytes, ...]) -> bool:
    return any(word in data for word in words)


def _text(name: bytes) -> str:
    return name.decode("utf-8", "replace")


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


def code_of(data: bytes) -> bytes:
    """The code of a notebook; of what is no JSON the lines that import something.

    What a cell runs by `%run` is imported too, and what it gives to a command is a text.
    """
    try:
        cells = json.loads(data)["cells"]
        code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    except (ValueError, KeyError, TypeError, RecursionError):
        return b"\n".join(re.findall(_IMPORT_IN_JSON, data))
    found = code.encode("utf-8", "replace")
    names = re.findall(_RUN, found)
    run = (b"import %b\n'%b.py'" % (name.replace(b"/", b"."), name) for name in names)
    commands = (b"'%b'" % line.replace(b"'", b"") for line in re.findall(_COMMAND, found))
    return b"\n".join([found, *run, *commands])


def _names(text: bytes) -> list[bytes]:
    bare = re.sub(_ALIAS, b"", re.sub(_COMMENT, b"", text))
    return re.findall(_NAME, re.sub(_SPACED, b".", bare))
