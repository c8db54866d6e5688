"""What the page docs/robustness.md says of hostile files, folders and surroundings."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from tfxla_lint.chains import deepest_pattern, longest_chain
from tfxla_lint.cli import main, running
from tfxla_lint.discovery import Discovery, discover

BEFORE = "import tensorflow as tf\n\nx = tf.to_float(1)\n"
AFTER = "import tensorflow as tf\n\nx = tf.compat.v1.to_float(1)\n"
SAID = "a.py:3:5: error TXL503"
FIX = ("--fix", "--unsafe-fixes")
posix = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX")


def command(*arguments: str) -> list[str]:
    # Of the rules just one is loaded.
    chosen = ["--isolated", "--no-cache", "--select", "TXL503", "--output-format", "concise"]
    return [sys.executable, "-m", "tfxla_lint", "check", *chosen, *arguments]


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*arguments), cwd=folder, capture_output=True, text=True, check=False, timeout=60
    )


def plant(folder: Path, count: int) -> list[Path]:
    paths = [folder / f"m{number}.py" for number in range(count)]
    for path in paths:
        path.write_text(BEFORE)
    return paths


def changed(paths: Iterable[Path]) -> list[str]:
    """The names of the files that were fixed; each is as a whole what it was, or is to be."""
    texts = {path.name: path.read_text() for path in paths}
    assert set(texts.values()) <= {BEFORE, AFTER}
    return [name for name, text in texts.items() if text == AFTER]


CHAINS: dict[str, Callable[[int], str]] = {
    "and": lambda n: "z = " + " and ".join(["x"] * n),
    "sum in brackets": lambda n: "z = (" + " +\n ".join(["x"] * n) + ")",
    "attributes": lambda n: "z = x" + ".a" * n,
    "calls": lambda n: "z = x" + "()[0]" * n,
    "texts": lambda n: "z = " + " ".join(["'a'"] * n),
    "elif": lambda n: "if x: pass\n" + "elif x: pass\n" * n,
    "choices": lambda n: "z = " + "x if x else " * n + "x",
    "signs": lambda n: "z = " + "-" * n + "x",
    "functions": lambda n: "z = " + "lambda: " * n + "x",
}
FLAT = {
    "a list": "z = [" + "-1.5, " * 5_000 + "]\n",
    "lists": "z = [" + "[x.a(), -x[0] + 2], " * 1_500 + "]\n",
    "calls side by side": "z = " + " and ".join(["f(x, 1).b[0]"] * 400) + "\n",
    "comparisons": "z = " + " < ".join(["x"] * 20_000) + "\n",
    "tests": "if x: pass\nelif y: pass\n" * 1_500,
}


@pytest.mark.parametrize("chain", CHAINS.values(), ids=CHAINS)
def test_a_chain_that_is_too_long_costs_its_own_file_alone(
    tmp_path: Path, chain: Callable[[int], str]
) -> None:
    """The parser would end the process, or take minutes."""
    (tmp_path / "a.py").write_text(BEFORE)
    (tmp_path / "b.py").write_text(
        f"import tensorflow as tf\n\nx = tf.ones([2])\n{chain(20_000)}\n"
    )
    found = run(tmp_path, ".")
    assert SAID in found.stdout
    assert found.returncode == 1
    assert "b.py:1:1: error TXL001" in found.stdout
    assert "nested more than 1000 levels deep" in found.stdout


@pytest.mark.parametrize("pattern", ["[" * 90 + "]" * 90, '{"a": ' * 12 + "1" + "}" * 12])
def test_a_pattern_that_is_too_deep_costs_its_own_file_alone(tmp_path: Path, pattern: str) -> None:
    """For each level the parser takes two to four times the time of the one within."""
    (tmp_path / "a.py").write_text(BEFORE)
    text = f"import tensorflow as tf\n\nmatch tf.ones([2]):\n    case {pattern}:\n        pass\n"
    (tmp_path / "b.py").write_text(text)
    found = run(tmp_path, ".")
    assert SAID in found.stdout
    assert "b.py:1:1: error TXL001" in found.stdout
    assert "a pattern is nested more than 14 levels deep" in found.stdout


def test_what_a_case_runs_is_no_pattern() -> None:
    text = "match x:\n    case A([b], {'a[[[': 1}) if c[0]:\n        y = " + "[" * 40 + "]" * 40
    assert deepest_pattern(text) == 3
    assert deepest_pattern("case = " + "[" * 40 + "]" * 40) == 0
    assert deepest_pattern("case(" + "[" * 40 + "]" * 40 + ")\n") == 0


@pytest.mark.parametrize(
    "head", ["\n case ", "\n\fcase ", "\n case \\\n ", "\n case (\n ", "\r case "]
)
def test_a_pattern_is_found_wherever_it_begins(head: str) -> None:
    pattern = '{"a": ' * 12 + "1" + "}" * 12 + (")" if "(" in head else "")
    assert deepest_pattern(f"match x:{head}{pattern}:\n  pass\n") > 20


@pytest.mark.parametrize("text", FLAT.values(), ids=FLAT)
def test_what_is_long_and_flat_is_no_chain(text: str) -> None:
    assert longest_chain(text, 100) <= 1_000


# What lies in a folder


@posix
def test_odd_things_in_a_folder(tmp_path: Path) -> None:
    """Pipes, devices and links that lead round cost themselves alone, and no time."""
    (tmp_path / "a.py").write_text(BEFORE)
    for name in ("f.py", "nb.ipynb", ".gitignore", "requirements.txt", "setup.cfg", "setup.py"):
        os.mkfifo(tmp_path / name)
    for name, target in [("l1.py", "l2.py"), ("l2.py", "l1.py"), ("gone.py", "nowhere"),
                         ("zero.py", "/dev/zero"), ("self", "."), ("up", "..")]:  # fmt: skip
        (tmp_path / name).symlink_to(target)
    (tmp_path / "folder.py").mkdir()
    done = run(tmp_path, ".")
    assert (done.returncode, done.stdout.count("error"), done.stderr) == (1, 1, ""), done.stderr
    assert done.stdout.startswith(SAID)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_file_that_vanishes_within_a_run(
    tmp_path: Path, jobs: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def discover_and_lose(*arguments: Any) -> Discovery:
        found = discover(*arguments)
        paths[1].unlink()
        return found

    paths = plant(tmp_path, 40)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(running, "discover", discover_and_lose)
    with pytest.raises(SystemExit) as stop:
        main(command("-j", jobs, ".")[3:])
    out, err = capfd.readouterr()
    assert stop.value.code == 2
    assert out.count("error TXL503") == 39
    assert [line for line in err.splitlines() if "m1.py" in line] == [
        "error: m1.py: cannot read it: No such file or directory"
    ]


@posix
@pytest.mark.parametrize("option", ["--config", "--profile", "--baseline"])
def test_a_pipe_for_what_the_tool_reads_is_refused(tmp_path: Path, option: str) -> None:
    (tmp_path / "a.py").write_text(BEFORE)
    os.mkfifo(tmp_path / "pipe")
    words = [word for word in command(option, "pipe", "a.py") if word != "--isolated"]
    done = subprocess.run(
        words, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 2
    assert "cannot read it: not a regular file" in done.stderr


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("requirements.txt", "tensorflow==2.4\n" * 300_000),
        (".gitignore", "a" * 2_000_000),
        (".gitignore", "a" * 900_000 + "\n"),
    ],
)
def test_what_is_too_large_to_say_what_a_project_is(tmp_path: Path, name: str, text: str) -> None:
    """It would take minutes to take in."""
    (tmp_path / ".git").mkdir()
    (tmp_path / name).write_text(text)
    (tmp_path / "a.py").write_text(BEFORE)
    done = subprocess.run(
        command("."), cwd=tmp_path, capture_output=True, text=True, check=False, timeout=20
    )
    assert SAID in done.stdout


def test_a_name_of_very_many_parts(tmp_path: Path) -> None:
    name = "tf." + ".".join("a" * 900)
    (tmp_path / "a.py").write_text(BEFORE)
    (tmp_path / "b.py").write_text(f"import tensorflow as tf\n\nx = {name}\n")
    assert SAID in run(tmp_path, ".").stdout
    for words, said in {("explain", "b.py"): "1000 levels deep", ("facts", name): "a.a.a"}.items():
        told = subprocess.run(
            [sys.executable, "-m", "tfxla_lint", *words],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert (told.returncode, told.stderr.count("\n")) == (2, 1)
        assert said in told.stderr


@posix
def test_paths_that_are_too_long(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(BEFORE)
    here = os.open(tmp_path, os.O_RDONLY)
    for _ in range(25):
        os.mkdir("d" * 200, dir_fd=here)
        below = os.open("d" * 200, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    done = run(tmp_path, ".")
    assert done.returncode == 2
    assert done.stderr.startswith("error: ddd")
    assert "File name too long" in done.stderr
    assert done.stdout.startswith(SAID)


@posix
@pytest.mark.parametrize(
    "arguments",
    [
        ["-", "--stdin-filename", "a" * 5_000 + ".py"],
        ["--fix", "--stdin-filename", "a" * 5_000 + "/a.py"],
        ["--output-file", "a" * 5_000 + ".py"],
        ["--write-baseline", "--baseline", "a" * 5_000],
    ],
)
def test_names_that_are_too_long(tmp_path: Path, arguments: list[str]) -> None:
    (tmp_path / "a.py").write_text(BEFORE)
    done = run(tmp_path, *arguments)
    assert done.returncode == 2
    assert "internal" not in done.stderr
    assert "File name too long" in done.stderr


# What stands in a file


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            b"import tensorflow\n\0\n",
            "2:1: error TXL001 syntax-error: the file contains null bytes",
        ),
        (
            b"import tensorflow\n# \xed\xa0\x80\n",
            "2:3: error TXL001 syntax-error: byte 0xed is not",
        ),
        (
            b"# coding: ascii\nimport tensorflow\n# \xe9\n",
            "3:3: error TXL001 syntax-error: byte 0xe9",
        ),
        (b"\xff\xfei\0m\0p\0", "1:1: error TXL001 syntax-error: the file contains null bytes"),
        (
            b"\xef\xbb\xbf# coding: latin-1\nimport tensorflow\n",
            "1:1: error TXL001 syntax-error: enc",
        ),
        (b"import tensorflow\nx = '" + b"x" * 1_000_000 + b"'\ntf.to_float(1)\n", ""),
        (b"import tensorflow as tf\n" + b"# " + b"noqa " * 200_000 + b"\ntf.to_float(1)\n", "3:1"),
        (
            b"import tensorflow as tf\n" + b"\n" * 100_000,
            "1:1: error TXL001 syntax-error: the file is",
        ),
    ],
    ids=["null", "surrogate", "ascii", "utf-16", "two encodings", "1 MB", "1 MB comment", "lines"],
)
def test_text_that_no_author_writes(tmp_path: Path, data: bytes, message: str) -> None:
    (tmp_path / "a.py").write_bytes(data)
    done = run(tmp_path, *FIX, "--diff", "a.py") if not message else run(tmp_path, "a.py")
    assert done.stdout.startswith(f"a.py:{message}" if message else ""), done.stdout[:300]
    assert done.returncode == bool(message), done.stderr


# What becomes of the streams, and of the process


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no such device")
def test_a_full_disk(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(BEFORE)
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            command("a.py"), cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 2
    assert done.stderr == b"error: cannot write to standard output: No space left on device\n"


@posix
def test_closed_streams(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text(BEFORE)
    script = 'exec "$@" <&- >&- 2>&-'
    words = ["sh", "-c", script, "sh", *command(*FIX, "a.py")]
    assert subprocess.run(words, cwd=tmp_path, check=False).returncode == 0
    assert path.read_text() == AFTER


@posix
@pytest.mark.parametrize(
    ("number", "jobs"),
    [(signal.SIGINT, "1"), (signal.SIGTERM, "1"), (signal.SIGTERM, "2"), (signal.SIGKILL, "2")],
    ids=["interrupted", "terminated", "terminated with workers", "killed with workers"],
)
def test_whoever_ends_a_run_finds_whole_files(tmp_path: Path, number: int, jobs: str) -> None:
    """And is told which ones are fixed by then, if anybody can tell."""
    paths = plant(tmp_path, 150)
    process = subprocess.Popen(
        command(*FIX, "-j", jobs, "."), cwd=tmp_path, stderr=subprocess.PIPE, text=True
    )
    deadline = time.monotonic() + 60
    while not any(path.stat().st_size > len(BEFORE) for path in paths[:40]):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.send_signal(number)
    _, said = process.communicate(timeout=60)
    names = changed(paths)
    assert 0 < len(names) < 150
    if number == signal.SIGKILL:
        return
    *_, told, last = (line for line in said.splitlines() if line)
    told = told.removeprefix("Changed by now, each as a whole: ").rstrip(".")
    assert sorted(told.split(", ")) == sorted(names)
    word, status = {2: ("interrupted", 130), 15: ("terminated", 143)}[number]
    assert last == f"tfxla-lint: {word}"
    assert process.returncode in (status, -number)
    assert not list(tmp_path.glob(".tfxla-lint.*"))


def test_two_runs_at_once(tmp_path: Path) -> None:
    """Each file is fixed by one of them; the other one finds it fixed, or says that it changed."""
    paths = plant(tmp_path, 40)
    words = command(*FIX, "-q", "-j", "1", ".")
    both = [subprocess.Popen(words, cwd=tmp_path, stderr=subprocess.PIPE, text=True) for _ in "12"]
    said = [process.communicate(timeout=60)[1] for process in both]
    assert len(changed(paths)) == 40
    for process, text in zip(both, said, strict=True):
        lines = text.splitlines()
        assert all(line.endswith("changed while it was being fixed") for line in lines)
        assert process.returncode == (2 if lines else 0)
