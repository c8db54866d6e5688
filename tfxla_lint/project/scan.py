"""What a file's bytes say of its imports, without parsing it."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass

# These are compiled when they are first used: mostly all files are known.
_LETTER = rb"[\w\x80-\xff]"
_MODULE = rb"(?:\.[ \t]*)*(?:%b+(?:[ \t]*\.[ \t]*%b+)*)?" % (_LETTER, _LETTER)
_LISTED = rb"\([^)#]*(?:#[^\n]*\n[^)#]*)*\)"
_IMPORT = (
    rb"(?m)(?:^(?:\xef\xbb\xbf)?[ \t\f]*|[;:][ \t]*)(?:"
    rb"from[ \t]+(%b)[ \t]*(?<=[. \t])import\b[ \t]*(?=(%b|[^\n#;]+))|import[ \t]+([^\n#;]+))"
    % (_MODULE, _LISTED)
)
_NAME = rb"[A-Za-z_\x80-\xff][\w.\x80-\xff]*"
_SPACED = rb"[ \t]*\.[ \t]*"
_ALIAS = rb"\bas[ \t]+\w+"
_COMMENT = rb"#[^\n]*"
#: These begin with the end of the line before, which is found fast: to try each place takes thrice as long.
_ASSIGNED = rb"\n[ \t]*(?:tf|tensorflow)((?:\.\w+)+)[ \t]*=(?!=)"
_DEFINED = rb"\n(?:(?:(?:async[ \t]+)?def|class)[ \t]+(\w+)|(\w+)[ \t]*(?::[^=\n]+)?=(?!=))"
_PATH = rb"\n[ \t]*sys\.path\.(?:append|insert)[ \t]*\((?:[ \t]*\d+[ \t]*,)?([^\n#]*)"
#: The names that `import *` takes.
_ALL = rb"\b__all__[^=\n]*=[ \t]*([\[(][^\])]*)"
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
    b"loadTestsFrom", b"dictConfig", b"!!python", b"entry_points(", b".entry_points", b"lazy_loader", b"LazyLoader",
    b"__path__", b"fromlist", b"hydra.", b"gin.parse_config", b"nbclient", b"nbconvert", b"papermill",
    b"magic('run'", b'magic("run"',
)  # fmt: skip
#: A module that a text imports, to be run by something else.
_SAID_IMPORT = (
    rb"[\"'][^\"'\n]*?\b(?:from[ \t]+([\w.]+)[ \t]+)?import[ \t]+(%b+(?:[ \t]*,[ \t]*%b+)*)"
    % (_LETTER, _LETTER)
)
#: A text that may name a module, or what stands in one, to whatever is given it.
_DOTTED = rb"[\"'](\.{0,2}[A-Za-z_]\w*(?:[.:][A-Za-z_]\w*)+|\.{1,2}[A-Za-z_]\w*)[\"']"
#: A module that a command, in one text or several, runs as a program.
_RUN_MODULE = rb"(?:[\"' ]-m(?:[ \t]+|[\"'][ \t]*,[ \t]*[\"'])|\brun_module[ \t]*\([ \t]*[\"'])([A-Za-z_][\w.]*)"
_STARTERS = (b"subprocess", b"system", b"popen", b"exec", b"spawn")
_STARTING = (
    rb"\bsubprocess\b|\b(?:system|popen|exec[lv]p?e?|spawn\w*|posix_spawn)[ \t]*\("
    rb"|\bimport[ \t(]+(?:system|popen)\b"
)
_PYTHON = rb"[\"'][^\"'\n]*\bpython"
#: A text that is Python's own name, or a command that runs it, whoever runs that.
_COMMAND_OF_PYTHON = (
    rb"[\"'](?:[^\"'\n]*[ \t/;])?python[\d.]*(?:[\"']|[ \t]+(?:[-{%$*]|[\w/.]+\.py\b))"
)
#: Stands for any module.
ANY = "*"
#: Stands for the path along which modules are searched, where a file changes it.
PATH = "sys.path"
#: A file that a text on one line names.
_FILE = rb"[\"'](?:[^\"'\n]*[^\"'\n\w])?(\w+)\.py\b"
_IMPORT_IN_JSON = rb'(?:"|\\n)[ \t]*((?:from|import)[ \t][^"\\]*)'
#: What a cell of a notebook runs in its own process, and what in another one.
_RUN = rb"(?m)^(?:[\w, \t]+=)?[ \t]*(?:%\w+[ \t]+(?:-\S+[ \t]+)*)?%run[ \t]+(?:-[a-z]+[ \t]+)*(.*)$"
_RUN_PLAINLY = rb"([\"']?)(?:\./)?([\w/\x80-\xff]+)(?:\.py|\.ipynb)?\1(?:[ \t].*)?"
_COMMAND = rb"(?m)^[ \t]*(?:[\w, \t]+=[ \t]*)?(?:!|%(?:sx|system)[ \t])(.*)$"
_COMMANDS = r"[ \t]*%%(?:bash|sh|script|cmd|sx|system|python[23]?\b|!)"
#: A statement that a magic times, or an import that it makes.
_BY_MAGIC = rb"(?m)^[ \t]*%(?:\w+[ \t]+(?:-\w+[ \t]+)*(?=(?:from|import)\b)|a(?=import\b))"
#: Also as a line of a notebook's JSON.
_EVERYTHING = rb'(?m)(?:^|"|\\n)from[ \t]+[.\w]+[ \t]+import[ \t]*\*'
#: Texts and comments; what is not closed ends with its line, or with the file.
_SAID = (
    rb"(?s)\"{3}(?:[^\"\\]|\\.|\"(?!\"\"))*(?:\"{3}|\Z)|'{3}(?:[^'\\]|\\.|'(?!''))*(?:'{3}|\Z)"
    rb"|\"(?:[^\"\\\n]|\\.)*\"?|'(?:[^'\\\n]|\\.)*'?|#[^\n]*"
)
_IMPORTING = rb"\n[ \t]*(?:from|import)[ \t][^\n#]*(?:tensorflow|keras)"
#: What is called with the name of a module, and may load it.
_LOADED = (
    rb"(?:__import__|import_module|[Ll]azy\w{0,30})[ \t]{0,9}\((?:[^()]|\(\)){0,200}"
    rb"[\"']\w*(?:tensorflow|keras)"
)
#: A file that never says one of these words has nothing for the rules to look at, but for one that
#: takes names unsaid.
_WORDS = ("tensorflow", "keras")
_BYTES = tuple(word.encode() for word in _WORDS)


#: The variable of the environment by which `tf.keras` becomes Keras 2.
LEGACY_SWITCH = "TF_USE_LEGACY_KERAS"
#: What sets a variable whose name is not written out.
_SET_AT_LARGE = rb"\benviron\[(?![\"']\w*[\"'][ \t]*\])[^\]\n]*\][ \t]*=(?!=)"
#: What the name of a notebook ends with.
NOTEBOOK = ".ipynb"


@dataclass(frozen=True, slots=True)
class Scan:
    """What a file imports: dotted names (with leading dots where relative), and the members that
    a `from` import may name, joined to their module. `mentions` says whether it names TensorFlow,
    `uses` whether its code does, `assigned` which full names of TensorFlow it gives a value, `LEGACY_SWITCH` among them.
    `defined` are the names that its top level binds, `searched` the folders that it adds to
    `sys.path`, as it writes them. `reached` are the first names of the modules that it may load though no
    import tells which, `PATH` among them where it changes that, or `ANY`; `said` the dotted names in its
    texts; `started` the names of files that it may run elsewhere, as it names them, or `ANY`. `holds_tests`
    says whether it is one of tests by what stands in it.
    """

    imports: tuple[str, ...]
    mentions: bool
    size: int
    assigned: tuple[str, ...] = ()
    defined: frozenset[str] = frozenset()
    searched: tuple[str, ...] = ()
    reached: frozenset[str] = frozenset()
    started: frozenset[str] = frozenset()
    said: frozenset[str] = frozenset()
    holds_tests: bool = False
    uses: bool = False


def scan(data: bytes, is_package: bool = False) -> Scan:
    """Look at the bytes of a file; what only looks like an import does no harm.

    Who takes all names of a package imports the modules among them, too.
    """
    found: list[str] = []
    if b"\r" in data and b"\n" not in data:
        data = data.replace(b"\r", b"\n")
    if is_package and b"__all__" in data:
        listed = b" ".join(re.findall(_ALL, data))
        found.extend(f".{_text(name)}" for name in re.findall(_TEXT, listed))
    data = data.replace(b"\\\r\n", b" ").replace(b"\\\n", b" ") if b"\\" in data else data
    in_texts: list[tuple[bytes, bytes]] = []
    for match in _imports(data, in_texts):
        module, members, plain = match.groups()
        if plain is not None:
            found.extend(_text(name) for name in _names(plain))
            continue
        base = _text(module.translate(None, b" \t"))
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
    is_starting = _holds(data, _STARTERS) and re.search(_STARTING, data)
    is_command = b"python" in data and re.search(_COMMAND_OF_PYTHON, data)
    if b"sys.executable" in data or is_command or (is_starting and re.search(_PYTHON, data)):
        started.append(ANY)
    said = list(map(_text, re.findall(_DOTTED, data)))
    if b"-m" in data or b"run_module" in data:
        said += map(_text, re.findall(_RUN_MODULE, data))
    for package, listed in in_texts:
        for name in _names(listed):
            (said if package else reached).append(_text(b".".join(filter(None, (package, name)))))
    lines = b"\n" + data
    assigned = tuple(f"tensorflow{name.decode()}" for name in re.findall(_ASSIGNED, lines))
    if LEGACY_SWITCH.encode() in data or (b"environ" in data and re.search(_SET_AT_LARGE, data)):
        assigned = (*assigned, LEGACY_SWITCH)
    defined = frozenset((a or b).decode("ascii", "replace") for a, b in re.findall(_DEFINED, lines))
    searched: tuple[str, ...] = ()
    if b"sys.path" in data:
        added = (re.findall(_TEXT, given) for given in re.findall(_PATH, lines))
        searched = tuple(b"/".join(parts).decode("ascii", "replace") for parts in added if parts)
        reached.append(PATH)
    # Files of a project import the same modules, and all scans are kept.
    imports = tuple(dict.fromkeys(map(sys.intern, found)))
    mentions, uses = names_tensorflow(data), uses_tensorflow(data)
    tops, begun = frozenset(filter(None, reached)), frozenset(started) - {"__init__"}
    names = frozenset(map(sys.intern, said))
    return Scan(
        imports, mentions, len(data), assigned, defined, searched, tops, begun, names, uses=uses
    )


def _imports(data: bytes, in_texts: list[tuple[bytes, bytes]]) -> Iterator[re.Match[bytes]]:
    """What imports something; what texts import goes to `in_texts`.

    Either begins on a line with the word, so that the others are passed over.
    """
    importing, saying = re.compile(_IMPORT), re.compile(_SAID_IMPORT)
    start = end = at = 0
    while (word := data.find(b"import", at)) >= 0:
        if word >= end:
            start = data.rfind(b"\n", 0, word) + 1
            end = data.find(b"\n", word)
            end = end if end >= 0 else len(data)
            in_texts += saying.findall(data, start, end)
        match = importing.search(data, max(start, at), end)
        if match is not None and (match[2] or b"")[:1] == b"(":
            # A list in parentheses goes on in the next lines.
            match = importing.match(data, match.start())
        if match is not None:
            yield match
        at = match.end() if match is not None else end


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
    if re.search(_IMPORTING, b"\n" + data) or re.search(_LOADED, data):
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

    What a cell runs by `%run` is imported too, or loaded by a name that is not plain, and what it gives to a
    command is a text.
    """
    # Most projects hold none.
    from tfxla_lint.cells import NoNotebook, code_cells

    try:
        text = data.decode(json.detect_encoding(data), "surrogatepass")
        cells = [cell.text for cell in code_cells(text, has_places=False)]
    except (NoNotebook, ValueError, RecursionError):
        return b"\n".join(re.findall(_IMPORT_IN_JSON, data))
    scripts: list[str] = []
    plain: list[str] = []
    for cell in cells:
        (scripts if re.match(_COMMANDS, cell) else plain).append(cell)
    code = "\n".join(plain).encode("utf-8", "replace")
    lines = [re.sub(_BY_MAGIC, b"", code)]
    for words in re.findall(_RUN, code):
        name = re.fullmatch(_RUN_PLAINLY, words)
        lines.append(
            b"import %b\n'%b.py'" % (name[2].replace(b"/", b"."), name[2])
            if name
            else b"import_module(name)"
        )
    commands = "\n".join(scripts).encode("utf-8", "replace").splitlines()
    commands += re.findall(_COMMAND, code)
    return b"\n".join([*lines, *(b"' %b'" % line.replace(b"'", b"") for line in commands)])


def _names(text: bytes) -> list[bytes]:
    bare = re.sub(_COMMENT, b"", text) if b"#" in text else text
    bare = re.sub(_ALIAS, b"", bare) if b"as" in bare else bare
    return re.findall(_NAME, re.sub(_SPACED, b".", bare) if b"." in bare else bare)
