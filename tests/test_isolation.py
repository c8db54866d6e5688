"""Linting a project runs nothing of it, whatever its files are called and however the tool is called."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import packages_distributions
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
#: What the tool itself, what it needs and Python's start-up import by name.
OTHERS = (
    "tfxla_lint", "rules", "libcst", "click", "packaging", "pathspec", "tomli", "yaml", "typing_extensions",
    "sitecustomize", "usercustomize", "org",
)  # fmt: skip
NAMES = frozenset(sys.stdlib_module_names) | frozenset(OTHERS)
POISON = "open({marks!r} + '/' + __name__, 'w').close()\nraise SystemExit('poisoned')\n"
HARMLESS = "x = 1\n"
#: A finding that needs LibCST, and one that does not.
TENSORFLOW = (
    "import tensorflow as tf\n\n@tf.function\ndef f(x):\n    tf.cast(x, tf.int32)\n    return x\n"
)
UNUSED = "x = 0  # noqa: TXL101\n"
SCRIPT = "import re\nimport sys\nfrom tfxla_lint.cli import main\nsys.exit(main())\n"
FROM_PYTHON = "import sys\nfrom tfxla_lint.cli import main\nmain(sys.argv[1:])\n"

Findings = list[tuple[str, str, int]]


@dataclass
class Tree:
    """A project with `size` files besides those that have names of others' modules."""

    folder: Path
    marks: Path
    expected: Findings

    def plant(self, text: str, names: Iterable[str] = NAMES) -> None:
        """Put a file of each of these names into the project, and none of the other names."""
        names = set(names)
        for name in NAMES:
            path = self.folder / f"{name}.py"
            if name in names:
                path.write_text(text)
            else:
                path.unlink(missing_ok=True)

    def poison(self, names: Iterable[str] = NAMES) -> None:
        """Let the files of these names do harm when they are imported."""
        self.plant(POISON.format(marks=str(self.marks)), names)


def run(
    command: list[str], cwd: Path, environment: dict[str, str] | None = None
) -> tuple[int, Findings]:
    """The status and the findings of one run."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    done = subprocess.run(
        [*command, "--isolated", "--output-format", "json", "-j", "2"],
        cwd=cwd,
        env={**clean, "PYTHONDONTWRITEBYTECODE": "1", **(environment or {})},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    lines = done.stderr.splitlines()
    assert [line.split()[0] for line in lines] == ["Found"], done.stderr
    rows = json.loads(done.stdout)["findings"]
    found = sorted((Path(row["path"]).name, row["code"], row["line"]) for row in rows)
    return done.returncode, found


@pytest.fixture(scope="module", params=[1, 60, 240])
def tree(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Tree:
    """A tree of each size, with what linting it gives while it is clean."""
    top = tmp_path_factory.mktemp("isolation")
    for name in ("tree", "marks", "bin"):
        (top / name).mkdir()
    for number in range(request.param):
        text = TENSORFLOW if number % 20 == 0 else UNUSED
        (top / "tree" / f"m{number}.py").write_text(text)
    (top / "bin" / "tfxla-lint").write_text(SCRIPT)
    (top / "bin" / "program").write_text(FROM_PYTHON)
    tree = Tree(top / "tree", top / "marks", [])
    tree.plant(HARMLESS)
    status, tree.expected = run(script(tree, "."), tree.folder)
    assert (status, len(tree.expected)) == (1, request.param)
    return tree


def script(tree: Tree, *arguments: str, name: str = "tfxla-lint") -> list[str]:
    """The command line that calls the tool as its console script does."""
    return [sys.executable, str(tree.folder.parent / "bin" / name), *arguments]


def module(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "tfxla_lint", *arguments]


@pytest.fixture
def untouched(tree: Tree) -> Iterator[Tree]:
    """Fails where a poisoned file has run."""
    tree.poison()
    yield tree
    assert [path.name for path in tree.marks.iterdir()] == []


def imported_by(code: str, is_all: bool = False) -> set[str]:
    """What Python imports for a line of code, with `is_all` also what it imports to start."""
    probe = f"import sys; old = set(sys.modules); {code}; print(*sys.modules, '/', *old)"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    after, before = (set(words.split()) for words in done.stdout.split("/"))
    return after if is_all else after - before


def test_the_console_script_in_the_folder(untouched: Tree) -> None:
    assert run(script(untouched, "."), untouched.folder) == (1, untouched.expected)


def test_the_console_script_elsewhere(untouched: Tree) -> None:
    path = str(untouched.folder)
    assert run(script(untouched, path), untouched.folder.parent) == (1, untouched.expected)


def test_a_program_that_calls_the_tool(untouched: Tree) -> None:
    command = script(untouched, ".", name="program")
    assert run(command, untouched.folder) == (1, untouched.expected)


def test_the_module_elsewhere(untouched: Tree) -> None:
    path = str(untouched.folder)
    assert run(module(path), untouched.folder.parent) == (1, untouched.expected)


def test_the_module_in_the_folder(untouched: Tree) -> None:
    """`python -m` looks into the working folder for what it needs to find us, and for us."""
    untouched.poison(NAMES - imported_by("import runpy") - {"tfxla_lint"})
    assert run(module("."), untouched.folder) == (1, untouched.expected)


def test_the_folder_on_pythonpath(untouched: Tree) -> None:
    """Python itself starts with what PYTHONPATH offers, also of modules for other systems."""
    starting = imported_by("import re, runpy", is_all=True)
    starting |= {name for name in sys.stdlib_module_names if find_spec(name) is None}
    untouched.poison(NAMES - starting - {"sitecustomize", "usercustomize", "tfxla_lint"})
    environment = {
        "PYTHONPATH": str(untouched.folder),
        "PYTHONSTARTUP": str(untouched.folder / "json.py"),
    }
    for command in (script(untouched, "."), module(".")):
        assert run(command, untouched.folder, environment) == (1, untouched.expected)


@pytest.mark.parametrize("where", [".", "..", "elsewhere"])
def test_what_an_installer_leaves_in_a_project_is_no_installation(
    tmp_path: Path, where: str
) -> None:
    """A folder of PYTHONPATH that lies in what is linted is the project's, whatever lies in it."""
    project = tmp_path / "project"
    source = project / "src"
    (source / "evil-1.0.dist-info").mkdir(parents=True)
    (project / ".git").mkdir()
    (project / "inner").mkdir()
    (source / "evil-1.0.dist-info" / "METADATA").write_text("Name: evil\nVersion: 1.0\n")
    entry = "[tfxla_lint.rules]\nevil = evil\n"
    (source / "evil-1.0.dist-info" / "entry_points.txt").write_text(entry)
    for name in ("evil", "click", "hyperscan", "libcst"):
        (source / f"{name}.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w').close()\n")
    (project / "a.py").write_text(TENSORFLOW)
    folder = {".": project, "..": project / "inner", "elsewhere": tmp_path}[where]
    (tmp_path / "link").symlink_to(source)
    done = subprocess.run(
        [sys.executable, "-m", "tfxla_lint", "--no-cache", str(project / "a.py")],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "link")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "TXL313" in done.stdout, done.stderr
    assert not (tmp_path / "ran").exists()


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The code as it is cloned, and never installed; what Python compiled of it spares time."""
    folder = tmp_path_factory.mktemp("checkout")
    for name in ("tfxla_lint", "rules"):
        shutil.copytree(ROOT / name, folder / name)
    (folder / "a.py").write_text(TENSORFLOW)
    return folder


def run_plainly(checkout: Path, path: str) -> subprocess.CompletedProcess[str]:
    """Run the checkout on an interpreter that sees no installed package but those of `path`."""
    return subprocess.run(
        [sys.executable, "-S", "-m", "tfxla_lint", "--isolated", "a.py", "rules/api", "-j", "2"],
        cwd=checkout,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_plain_checkout_runs(checkout: Path) -> None:
    names = ("click", "libcst", "packaging", "pathspec", "tomli")
    found = [spec.origin for spec in map(find_spec, names) if spec is not None and spec.origin]
    folders = {str(Path(origin).parents[1]) for origin in found}
    done = run_plainly(checkout, os.pathsep.join(folders))
    assert done.stdout.startswith("a.py:5:5: error TXL313 discarded-result"), done.stderr
    assert done.returncode == 1


def test_a_checkout_without_what_it_needs_says_what_to_install(checkout: Path) -> None:
    done = run_plainly(checkout, "")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "tfxla-lint: it needs the package click: pip install click\n"


def test_a_folder_behind_the_installed_modules_counts_only_when_asked_for(tmp_path: Path) -> None:
    """The root of a project that is installed to be edited stands there, by a `.pth` file."""
    (tmp_path / "_winapi.py").write_text("raise SystemExit('ran')\n")
    (tmp_path / "plugged.py").write_text("name = 'plugged'\n")
    code = (
        "import sys\n"
        f"folder = {str(tmp_path)!r}\n"
        "sys.path.append(folder)\n"
        "from tfxla_lint import isolation\n"
        "isolation.isolate()\n"
        "print(folder in sys.path, isolation.reach('absent'), folder in sys.path)\n"
        "print(isolation.reach('plugged'), sys.path[-1] == folder)\n"
        "import plugged\n"
        "print(plugged.name)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == ["False False False", "True True", "plugged"], done.stderr


# Other ways to be asked

#: Every module that is installed here, under the name by which it is imported.
INSTALLED = frozenset(packages_distributions()) - {"tfxla_lint", "rules"}


@pytest.fixture
def poisoned(tmp_path: Path) -> Iterator[Tree]:
    """One file among poisoned modules of every name that is installed; it fails if one has run."""
    for name in ("tree", "marks", "bin"):
        (tmp_path / name).mkdir()
    (tmp_path / "tree" / "m0.py").write_text(TENSORFLOW)
    (tmp_path / "bin" / "tfxla-lint").write_text(SCRIPT)
    tree = Tree(tmp_path / "tree", tmp_path / "marks", [])
    text = POISON.format(marks=str(tree.marks))
    for name in NAMES | INSTALLED:
        (tree.folder / f"{name}.py").write_text(text)
    yield tree
    assert [path.name for path in tree.marks.iterdir()] == []


def answers(command: list[str], folder: Path, said: Iterable[bytes], wanted: bytes) -> bytes:
    """What a server writes up to the line or the message that has the wanted words."""
    process = subprocess.Popen(
        command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        for message in said:
            process.stdin.write(message)
        process.stdin.flush()
        found = b""
        while wanted not in found:
            part = os.read(process.stdout.fileno(), 65_536)
            assert part, process.communicate()[1].decode()
            found += part
    finally:
        process.kill()
        process.communicate()
    return found


def test_the_language_server_runs_nothing(poisoned: Tree) -> None:
    pytest.importorskip("pygls", reason="pygls is not installed")

    def framed(**message: Any) -> bytes:
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        return b"Content-Length: %d\r\n\r\n%s" % (len(data), data)

    uri = (poisoned.folder / "m0.py").as_uri()
    document = {"uri": uri, "languageId": "python", "version": 1, "text": TENSORFLOW}
    root: dict[str, Any] = {
        "processId": None,
        "rootUri": poisoned.folder.as_uri(),
        "capabilities": {},
    }
    said = [
        framed(id=1, method="initialize", params=root),
        framed(method="initialized", params={}),
        framed(method="textDocument/didOpen", params={"textDocument": document}),
    ]
    command = script(poisoned, "server", "--no-cache")
    assert answers(command, poisoned.folder, said, b'"TXL313"')


def test_the_server_for_assistants_runs_nothing(poisoned: Tree) -> None:
    pytest.importorskip("mcp", reason="mcp is not installed")

    def line(**message: Any) -> bytes:
        return json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n"

    client = {
        "protocolVersion": "2025-03-26",
        "capabilities": {},
        "clientInfo": {"name": "a", "version": "1"},
    }
    call = {"name": "check", "arguments": {"paths": ["m0.py"]}}
    said = [
        line(id=1, method="initialize", params=client),
        line(method="notifications/initialized"),
        line(id=2, method="tools/call", params=call),
    ]
    assert b"TXL313" in answers(script(poisoned, "mcp"), poisoned.folder, said, b'"id":2')


def test_flake8_runs_nothing(poisoned: Tree) -> None:
    pytest.importorskip("flake8", reason="flake8 is not installed")
    place = poisoned.folder.parent / "bin" / "flake8"
    place.write_text("import sys\nfrom flake8.main.cli import main\nsys.exit(main())\n")
    done = subprocess.run(
        [sys.executable, str(place), "--isolated", "--select", "TXL", "m0.py"],
        cwd=poisoned.folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.startswith("m0.py:5:5: TXL313"), done.stderr
