"""What is installed, what is built of it, and that nothing is fetched when it runs."""

from __future__ import annotations

import ast
import io
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.test_startup import BAD
from tools import lock, matrix, reproducible

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
#: What talks to others; of `urllib` only the parser of addresses is ours.
TALKING = (
    "aiohttp", "ftplib", "http", "httpx", "imaplib", "poplib", "requests", "smtplib", "socket",
    "socketserver", "ssl", "telnetlib", "urllib.error", "urllib.request", "urllib3", "webbrowser",
    "xmlrpc",
)  # fmt: skip
HOOK = """
import os, sys

def watch(event, arguments):
    if event.startswith(("socket.", "urllib.", "ftplib.", "http.")):
        tell(event)
    elif event in ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork"):
        if {allowed!r} not in str(arguments):
            tell(f"{{event}} {{arguments}}")

def tell(text):
    os.write(noted, f"{{text}}\\n".encode())

noted = os.open({noted!r}, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
sys.addaudithook(watch)
"""
#: Workers are watched, too.
PROGRAM = """
from tfxla_lint.workers import child, pool
from tfxla_lint.cli import main

plain = pool._command
code = HOOK + f"import runpy; runpy.run_path({child.__file__!r}, run_name='__main__')"
pool._command = lambda: [*plain()[:-1], "-c", code]
for arguments in COMMANDS:
    try:
        main(arguments)
    except SystemExit as stop:
        assert stop.code in (0, 1), arguments
"""


def test_linting_and_fixing_open_no_connection(tmp_path: Path) -> None:
    for number in range(60):
        (tmp_path / f"m{number}.py").write_text("x = 0  # noqa: TXL101\n" if number else BAD)
    noted = tmp_path / "noted"
    commands = [
        ["check", "--isolated", "-j", "2", "."],
        ["check", "--isolated", "--fix", "--unsafe-fixes", "m0.py"],
        ["check", "--isolated", "--output-format", "sarif", "m0.py"],
        ["explain", "m0.py"],
    ]
    hook = HOOK.format(noted=str(noted), allowed="runpy.run_path")
    text = f"HOOK = {hook!r}\nCOMMANDS = {commands!r}\n{hook}{PROGRAM}"
    done = subprocess.run(
        [sys.executable, "-c", text], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("Found ") >= 2
    assert noted.read_text() == ""
    # It would have seen one.
    seen = f"{hook}\nimport socket, subprocess; socket.socket(); subprocess.run(['true'])"
    subprocess.run([sys.executable, "-c", seen], check=True)
    assert [line.split()[0] for line in noted.read_text().splitlines()][:2] == [
        "socket.__new__",
        "subprocess.Popen",
    ]


def test_nothing_that_talks_to_the_network_is_imported() -> None:
    imports = re.compile(r"^\s*(?:import|from) +([\w.]+)(?: +import +(\w+))?", re.M)
    found = []
    for folder in ("tfxla_lint", "rules"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            for module, name in imports.findall(path.read_text("utf-8")):
                for talking in TALKING:
                    if f"{module}.{name}.".startswith(f"{talking}."):
                        found.append(f"{path.name}: {module}")
    assert found == []


# What is installed


def test_needs_have_lower_bounds_alone() -> None:
    extras = PROJECT["optional-dependencies"]
    for text in [*PROJECT["dependencies"], *extras["server"], *extras["mcp"]]:
        assert [s.operator for s in Requirement(text).specifier] == [">="], text
    assert matrix.oldest("libcst>=1.8") == "libcst==1.8"
    assert matrix.oldest("tomli>=2.0; python_version < '3.11'") == (
        'tomli==2.0; python_version < "3.11"'
    )


def test_what_is_tried_is_what_is_promised() -> None:
    named = {c.rpartition(" ")[2] for c in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", c)}
    assert named <= set(matrix.PYTHONS)
    pinned = set(lock.read(lock.FILE.read_text("utf-8")))
    assert named <= pinned, "a Python that is promised has no pins"
    for path in matrix.QUICK:
        assert (ROOT / path).exists()


def test_all_that_developing_needs_is_pinned() -> None:
    text = lock.FILE.read_text("utf-8")
    found = lock.read(text)
    assert lock.written(found) == text
    asked = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["dev"]]
    for python, versions in found.items():
        place = {"python_version": python, "python_full_version": f"{python}.0"}
        for requirement in map(Requirement, asked):
            if requirement.marker is None or requirement.marker.evaluate(place):
                version = versions[canonicalize_name(requirement.name)]
                assert requirement.specifier.contains(version), f"{requirement} on {python}"
    assert "PIP_CONSTRAINT=" in (ROOT / ".ci" / "run").read_text("utf-8")
    assert "://" not in text


def test_pins_survive_being_read(tmp_path: Path) -> None:
    found = {"3.9": {"a": "1", "b": "2"}, "3.10": {"a": "1", "b": "3"}, "3.11": {"a": "1"}}
    text = lock.written(found)
    assert text.splitlines()[2:] == [
        "a==1",
        'b==2 ; python_version == "3.9"',
        'b==3 ; python_version == "3.10"',
    ]
    assert lock.read(text) == found


# What is built


def archives(folder: Path, number: int) -> list[Path]:
    """An sdist and a wheel of the same contents, by another user at another time."""
    folder.mkdir()
    names = ["p-1/a.py", "p-1/run", "p-1/b.py"]
    sdist, wheel = folder / "p-1.tar.gz", folder / "p-1-py3-none-any.whl"
    with tarfile.open(sdist, "w:gz") as packed:
        for name in names if number else names[::-1]:
            member = tarfile.TarInfo(name)
            member.size, member.mtime, member.uid = len(name), number * 1000, number
            member.uname = f"user{number}"
            member.mode = (0o755, 0o700)[number] if name.endswith("run") else (0o644, 0o600)[number]
            packed.addfile(member, io.BytesIO(name.encode()))
    with zipfile.ZipFile(wheel, "w") as zipped:
        for name in [*(names if number else names[::-1]), "p-1.dist-info/RECORD"]:
            info = zipfile.ZipInfo(name, (2000 + number, 1, 1, 0, 0, 0))
            info.external_attr = (0o100600 + number * 0o44) << 16
            zipped.writestr(info, name)
    return [sdist, wheel]


def test_archives_hang_on_their_contents_alone(tmp_path: Path) -> None:
    built = [archives(tmp_path / str(number), number) for number in range(2)]
    for path in [*built[0], *built[1]]:
        reproducible.settle(path, 1_700_000_000)
    for one, other in zip(*built, strict=True):
        assert one.read_bytes() == other.read_bytes()
    with tarfile.open(built[0][0]) as packed:
        assert {m.name: (m.mode, m.mtime, m.uname) for m in packed} == {
            "p-1/a.py": (0o644, 1_700_000_000, ""),
            "p-1/b.py": (0o644, 1_700_000_000, ""),
            "p-1/run": (0o755, 1_700_000_000, ""),
        }
        run = packed.extractfile("p-1/run")
        assert run is not None
        assert run.read() == b"p-1/run"
    with zipfile.ZipFile(built[0][1]) as zipped:
        assert zipped.namelist()[-1] == "p-1.dist-info/RECORD"
        assert zipped.read("p-1/a.py") == b"p-1/a.py"
        assert zipped.infolist()[0].date_time == (2023, 11, 14, 22, 13, 20)


def test_the_moment_of_a_build(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "12")
    assert reproducible.epoch(ROOT) == 12


# What is promised


def test_each_promise_names_tests_that_exist() -> None:
    text = (ROOT / "SECURITY.md").read_text("utf-8")
    promised = text.partition("## What is promised")[2].partition("## What is not promised")[0]
    points = re.split(r"^- ", promised, flags=re.M)[1:]
    assert len(points) >= 20
    for point in points:
        own = point.partition("\n\n")[0]
        named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", own)
        assert named, f"nothing stands behind: {own}"
        for path, name in named:
            tree = ast.parse((ROOT / path).read_text("utf-8"))
            tests = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
            assert name in tests, f"{path}::{name}"


@pytest.mark.skipif(os.name != "posix", reason="the script is one of a POSIX shell")
def test_ci_is_a_script_that_a_shell_reads() -> None:
    subprocess.run(["bash", "-n", str(ROOT / ".ci" / "run")], check=True)
