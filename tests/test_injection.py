"""What names, code, notebooks and settings hold is shown, and obeyed by nothing that shows it."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import unicodedata
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.test_reports_for_tools import HOSTILE as NAME
from tests.test_reports_for_tools import hostile
from tfxla_lint.cli import main
from tfxla_lint.reporters.json_format import dump
from tfxla_lint.reporters.verification_page import render_page
from tfxla_lint.results import RunResult
from tfxla_lint.settings.layer import OUTPUT_FORMATS
from tfxla_lint.verify.checked import Checked
from tfxla_lint.verify.html import Card, page
from tfxla_lint.verify.verdicts import Evidence, Outcome, Timing, Verdict

#: Runs a command and gives what it says on both streams.
Said = Callable[..., tuple[str, str]]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="its file names hold no such signs")

#: Without what is no part of a name, or not of UTF-8.
FOLDER = NAME.replace("/", "").replace("\uffff", "")
CODE = """\
import tensorflow as tf


@tf.function
def f(x, y=[]):
    tf.cast(x, tf.int32)  # \x1b[31m \u202e ##vso[task.x]y
    print("\x1b]8;;javascript:x\x07::error::x", x)
    return x  # tfxla-lint: ignore[EV\x1b[31mIL, TXL101]


x = tf.sub(1, "\x1b[2J")  # ##[error]x
for i in range(3):
    f(i)
    tf.log("##vso[task.setvariable variable=x]y\x1b[31m")
"""
BROKEN = "import tensorflow\nx = (\x1b[31m '##vso[task.x]\n"
#: What the log of GitHub takes for a command, after blanks, and those of both wherever they stand.
OBEYED = re.compile(r"^\s*::(error|warning|notice|debug|add-mask|x)|##\w*\[", re.M)
OURS = re.compile(r"^(::(error|warning|notice) |##vso\[task.logissue )", re.M)
COLOURS = re.compile(r"\x1b\[[\d;]*m")


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files with such names and contents: code, a notebook, and what cannot be read."""
    top = tmp_path_factory.mktemp("injection")
    folder = top / FOLDER
    folder.mkdir()
    (folder / FOLDER).write_text(CODE)
    (folder / "\x1b[31m\n::error::broken.py").write_text(BROKEN)
    (folder / "\x1b[31m\n::error::coding.py").write_bytes(b"# coding: \x1b[31mx\nimport tensorflow")
    odd = os.fsencode(folder) + b"/\xff\n::error::x.py"
    with open(odd, "w") as file:
        file.write(CODE)
    cell: dict[str, object] = {
        "cell_type": "code",
        "id": NAME,
        "metadata": {},
        "outputs": [],
        "execution_count": None,
    }
    cells = [{**cell, "source": [CODE]}, {**cell, "source": CODE.splitlines(True)}]
    kernel = {"kernelspec": {"name": NAME, "display_name": NAME, "language": "python"}}
    book = {"cells": cells, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}
    (folder / "\x1b[31m\n::error::x.ipynb").write_text(json.dumps(book))
    (folder / "\x1b[31m\n::error::broken.ipynb").write_text('{"cells": [\x1b##vso[task.x]')
    return top


@pytest.fixture
def said(tree: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Said:
    """Runs a command in the tree; what it says on both streams."""
    monkeypatch.chdir(tree)

    def run(*arguments: str) -> tuple[str, str]:
        with pytest.raises(SystemExit):
            main(list(arguments))
        captured = capsys.readouterr()
        assert "internal error" not in captured.err
        return captured.out, captured.err

    return run


def assert_harmless(text: str) -> None:
    """A terminal and a log obey nothing of a text, but what is ours."""
    odd = {c for c in text if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp")}
    assert odd <= {"\n"}, odd
    assert OBEYED.search(OURS.sub("", text)) is None, text


SIDES = ("--original", "--rewritten")
ALL = ("check", "--isolated", "--select", "ALL", "--exit-zero")


@pytest.mark.parametrize("form", OUTPUT_FORMATS)
def test_reports(form: str, said: Said) -> None:
    out, err = said(*ALL, "--output-format", form, ".")
    assert "TXL501" in out
    assert_harmless(out)
    assert_harmless(err)
    if form in ("json", "sarif", "gitlab", "rdjson"):
        assert out.isascii()
        json.loads(out)
    if form == "junit":
        ElementTree.fromstring(out)


@pytest.mark.parametrize(
    "arguments",
    [
        [*ALL, "-v", "."],
        [*ALL, "--statistics", "."],
        [*ALL, "--show-files", "."],
        [*ALL, "--add-noqa", "--stdin-filename", FOLDER, "-"],
        ["explain", f"{FOLDER}/{FOLDER}"],
        ["explain", "--output-format", "json", f"{FOLDER}/{FOLDER}"],
        ["explain", f"{FOLDER}/{FOLDER}:nothing"],
        ["explain", f"{FOLDER}/\x1b[31m\n::error::broken.py"],
        ["verify", *(w for s in SIDES for w in (s, f"{FOLDER}/{FOLDER}")), "--python", NAME],
        ["verify", "--git", NAME],
        ["check", NAME],
        ["rule", NAME],
        ["facts", NAME],
        ["merge", NAME],
        [NAME],
        [f"--{NAME}"],
        ["profile", "--", NAME],
        ["check", "--select", NAME, "."],
        ["check", "--output-format", NAME, "."],
        ["check", "--baseline", NAME, "."],
        ["check", "--isolated", "--report", f"json=none/{FOLDER}/x", "."],
        ["check", "--diff-base", NAME, "."],
    ],
    ids=lambda words: " ".join(words[:1] + [w for w in words if w.startswith("--")])[:40],
)
def test_commands(arguments: list[str], said: Said) -> None:
    out, err = said(*arguments)
    assert_harmless(out)
    assert_harmless(err)


SETTINGS = [
    '"x\\u001b[31m\\n::error::x" = 1\n',
    'select = ["\\u001b[31m\\n::error::x"]\n',
    'tf-version = "\\u001b[31m\\n::error::x"\n',
    "x = \x1b[31m ##vso[task.x]\n",
    'exclude = ["\\u001b[31m\\n::error::x ##vso[task.x]"]\n',
    'baseline = "\\u001b[31m\\n::error::x"\n',
    '[per-file-ignores]\n"\\u001b\\n::error::x" = ["TXL101"]\n',
    '[models]\n"\\u001b[31m\\n::error::x" = 2\n',
    '[models]\nmodels = ["\\u001b[31m\\n::error::x"]\n',
]


@pytest.mark.parametrize("text", SETTINGS)
@pytest.mark.parametrize("more", [[], ["--show-settings"], ["-v"]], ids=str)
def test_settings(
    text: str,
    more: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "tfxla-lint.toml").write_text(text)
    (tmp_path / "a.py").write_text("import os\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit):
        main(["check", *more, "."])
    captured = capsys.readouterr()
    assert_harmless(captured.out)
    assert_harmless(captured.err)


def test_the_colours_of_a_terminal_are_all_it_is_told(said: Said) -> None:
    out, _ = said(*ALL, "--color", "always", "--output-format", "full", ".")
    assert COLOURS.search(out)
    assert_harmless(COLOURS.sub("", out))


def test_a_diff_on_a_terminal(said: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    out, _ = said("check", "--isolated", "--diff", "--unsafe-fixes", ".")
    assert "return x" in out
    assert_harmless(COLOURS.sub("", out))


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_a_diff_in_a_pipe_is_what_git_applies(tree: Path, tmp_path: Path) -> None:
    """It needs the very bytes of the code; the names are quoted, so that each line is its own."""
    copy = tmp_path / "copy"
    shutil.copytree(tree, copy)
    command = [sys.executable, "-m", "tfxla_lint", "check", "--isolated", "--unsafe-fixes"]
    diff = subprocess.run([*command, "--diff", FOLDER], cwd=copy, capture_output=True).stdout
    heads = [line for line in diff.split(b"\n") if line.startswith((b"--- ", b"+++ "))]
    assert len(heads) >= 4
    assert all(line.isascii() and b"\x1b" not in line for line in heads)
    subprocess.run(["git", "apply", "-p0", "-"], cwd=copy, input=diff, check=True)
    fixed = tmp_path / "fixed"
    shutil.copytree(tree, fixed)
    subprocess.run([*command, "--fix", FOLDER], cwd=fixed, capture_output=True)
    for path in sorted(path for path in fixed.rglob("*.py") if path.is_file()):
        assert path.read_bytes() == (copy / path.relative_to(fixed)).read_bytes()


def test_a_profile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / FOLDER
    folder.mkdir()
    (folder / FOLDER).write_text("def f():\n    pass\n\n\nf()\n")
    done = subprocess.run(
        [sys.executable, "-m", "tfxla_lint", "profile", "-o", "\x1b[31mout", "--", FOLDER],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "1 call" in done.stderr
    assert_harmless(done.stderr)


# What no terminal shows


class Page(HTMLParser):
    """The tags of a page and their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.style = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1][0] == "style":
            self.style = self.style or data


MARKUP = f"<script>x</script>\"'><img src=x onerror=y>&lt;{NAME}`<b>`"


def test_a_page_runs_and_loads_nothing() -> None:
    evidence = Evidence(MARKUP, MARKUP, MARKUP, MARKUP)
    timings = tuple(Timing(v, ms, calls=9) for v, ms in (("original", 3.0), ("rewritten", 1.0)))
    verdicts = (
        Verdict(MARKUP, MARKUP, Outcome.DIFFERS, MARKUP, "program", evidence=(evidence,)),
        Verdict(MARKUP, MARKUP, Outcome.EQUIVALENT, note=MARKUP, timings=timings),
    )
    result = hostile()
    checked = tuple(Checked((f,), verdicts, MARKUP, MARKUP * 2) for f in result.findings[:1])
    files = (result.files[0].__class__(MARKUP, checked=checked),)
    for text in (
        page([Card(MARKUP, MARKUP, (MARKUP,), verdicts, MARKUP, f"{MARKUP}\n{MARKUP}")]),
        render_page(RunResult(files, is_verified=True)),
    ):
        shown = Page(text)
        names = {name for name, _ in shown.tags}
        assert not names & {"script", "img", "b", "iframe", "link", "base", "object", "form"}
        for name, attributes in shown.tags:
            assert not {a for a in attributes if a.startswith("on")} | {"style"} & set(attributes)
            assert name != "a" or re.fullmatch(r"#c\d+", str(attributes["href"]))
        (policy,) = (a["content"] for n, a in shown.tags if "http-equiv" in a)
        digest = base64.b64encode(hashlib.sha256(shown.style.encode()).digest()).decode()
        assert policy is not None
        assert policy.split("; ") == [
            "default-src 'none'",
            f"style-src 'sha256-{digest}'",
            "base-uri 'none'",
            "form-action 'none'",
        ]


def test_json_is_no_command_to_a_log_and_means_the_same() -> None:
    assert "##" not in dump({"a": "###[x] ##vso[x]"})
    assert json.loads(dump({"a": "###[x]", "b": NAME})) == {"a": "###[x]", "b": NAME}


def test_an_assistant_is_told_of_names_that_are_no_text(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("mcp", reason="mcp is not installed")
    from mcp.server.mcpserver.exceptions import ToolError

    from tfxla_lint import assistant

    monkeypatch.chdir(tree)
    found = asyncio.run(assistant.check(paths=["."]))
    names = {row["path"] for row in found["findings"]}
    assert any(r"\udcff" in name for name in names)
    json.dumps(found, ensure_ascii=False).encode("utf-8")
    with pytest.raises(ToolError, match="No such file") as told:
        asyncio.run(assistant.explain_functions(path="no\udcff"))
    str(told.value).encode("utf-8")


def test_an_editor_shows_no_markup_of_the_code() -> None:
    pytest.importorskip("pygls", reason="pygls is not installed")
    from tfxla_lint.server.answers import _in_markdown

    text = "`tf.a` of [x](command:y) ![](http://x) <img src=x>\n# `b` *c* ``"
    assert _in_markdown(text) == (
        r"`tf.a` of \[x\]\(command:y\) \!\[\]\(http://x\) \<img src=x\> \# `b` \*c\* \`\`"
    )


def test_the_name_of_a_baseline_is_shown_and_obeyed_by_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.py").write_text("import tensorflow as tf\nx = tf.log(1.0)\n")
    name = '"\\u001b[31mred\\n::error::hi.json"'
    (tmp_path / "tfxla-lint.toml").write_text(f"baseline = {name}\n")
    for arguments in (["--write-baseline", "a.py"], ["a.py"]):
        with pytest.raises(SystemExit):
            main(arguments)
        said = "".join(capfd.readouterr())
        assert "red" in said
        assert not OBEYED.search(said)
        assert "\x1b" not in said
