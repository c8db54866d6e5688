"""The Python interface: the same findings, fixes and verdicts as the command line's."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

import tfxla_lint
from tests.test_startup import BAD
from tfxla_lint.cli import main

FASTER = BAD.replace("for x, y", "@tf.function\ndef twice(a):\n    return a + a\n\n\nfor x, y")


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> object:
    with pytest.raises(SystemExit):
        main(arguments)
    return json.loads(capsys.readouterr().out)


def test_code_and_files_give_what_the_command_line_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.py").write_text(BAD)
    limit = sys.getrecursionlimit()
    of_code = tfxla_lint.check(BAD, filename="a.py")
    of_files = tfxla_lint.check(Path("a.py"))
    assert sys.getrecursionlimit() == limit
    assert "TXL102" in [finding.code for finding in of_code]
    assert of_code.findings == of_files.findings == tfxla_lint.check(["."]).findings
    document = printed(capsys, "--output-format", "json", "a.py")
    assert of_files.as_json() == of_code.as_json() == document
    assert tfxla_lint.check(BAD, select=["TXL5"], tf_version="2.15").findings == ()


def test_fixing_gives_the_text_the_diff_or_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.py").write_text(BAD)
    fixed = tfxla_lint.fix(BAD, filename="a.py", unsafe_fixes=True)
    assert "@tf.function" in fixed.text
    assert fixed.applied == {"TXL102": 1, "TXL002": 1}
    assert "+@tf.function" in fixed.diff
    shown = tfxla_lint.fix(Path("a.py"), write=False, unsafe_fixes=True)
    assert (tmp_path / "a.py").read_text() == BAD
    assert shown.diff == fixed.diff
    assert tfxla_lint.fix(Path("a.py"), unsafe_fixes=True).diff == ""
    assert (tmp_path / "a.py").read_text() == fixed.text


def test_what_cannot_be_done_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(tfxla_lint.Error, match=r"unknown setting 'selct' .*did you mean 'select'"):
        tfxla_lint.check(BAD, selct=["TXL1"])
    with pytest.raises(tfxla_lint.Error, match="unknown rule 'TXL999' in --select"):
        tfxla_lint.check(BAD, select=["TXL999"])
    result = tfxla_lint.check(Path("none.py"))
    assert (result.findings, result.problems) == ((), ("none.py: no such file or folder",))
    with pytest.raises(tfxla_lint.Error, match="cannot start the interpreter"):
        tfxla_lint.verify(BAD, FASTER, python="/no-such-python")
    with pytest.raises(tfxla_lint.Error, match="reaches out of the folder"):
        tfxla_lint.verify_patch("--- a/../b.py\n+++ b/../b.py\n@@ -1 +1 @@\n-a\n+b\n", tmp_path)


def test_the_page_shows_what_happens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = Path(__file__).parents[1] / "docs" / "python.md"
    code = page.read_text().split("```python\n")[1].split("```")[0]
    (tmp_path / "src").mkdir()
    monkeypatch.chdir(tmp_path)
    exec(compile(code, str(page), "exec"), {})
    out = capsys.readouterr().out
    assert out.startswith("TXL502 3 `tf.keras.optimizers.Adam` takes no argument `lr`")
    assert "{'TXL502': 1} import tensorflow as tf\n" in out
    assert "learning_rate=0.1" in out
    assert out.endswith("0 ()\n")


def loaded_after(words: str) -> Sequence[str]:
    probe = f"import json, sys; {words}; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, check=True, text=True)
    names: list[str] = json.loads(done.stdout)
    return names


def test_importing_the_package_loads_nothing_of_it() -> None:
    names = loaded_after("import tfxla_lint")
    assert [name for name in names if name.startswith("tfxla_lint")] == ["tfxla_lint"]
    assert "libcst" not in loaded_after("import tfxla_lint; tfxla_lint.check; tfxla_lint.verify")


@pytest.mark.parametrize("name", ["latin-1", "cp1252", "utf-8"])
def test_code_in_a_declared_encoding_keeps_its_letters_and_columns(name: str) -> None:
    text = (
        f"# coding: {name}\nimport tensorflow as tf\nx = 'éé'; o = tf.keras.optimizers.Adam(lr=1)\n"
    )
    fixed = text.replace("lr=", "learning_rate=")
    of_bytes, of_text = (tfxla_lint.fix(code, isolated=True) for code in (text.encode(name), text))
    assert of_bytes.text == of_text.text == fixed
    assert of_bytes.data == of_text.data == fixed.encode(name)
    assert [f.span.column for f in tfxla_lint.check(text, isolated=True)] == [40]


@pytest.mark.parametrize(
    "code", ["x = '\udcff'\n", b"# coding: ascii\nx = '\xe9'\n", "\ufeffx = 1\n"]
)
def test_code_that_cannot_be_read_comes_back_as_it_was(code: str | bytes) -> None:
    result = tfxla_lint.fix(code, isolated=True)
    if isinstance(code, str):
        assert result.text == code
    else:
        assert (result.data, result.text.encode("utf-8", "surrogateescape")) == (code, code)


def test_a_thread_with_a_small_stack_takes_deep_code_and_leaves_the_limit() -> None:
    deep = f"{BAD}x = tf{'.a' * 800}\n"
    expected = [f.code for f in tfxla_lint.check(deep, isolated=True)]
    limit, stack = sys.getrecursionlimit(), threading.stack_size()
    found: list[list[str]] = []

    def look() -> None:
        found.append([f.code for f in tfxla_lint.check(deep, isolated=True)])

    threading.stack_size(512 * 1024)
    try:
        threads = [threading.Thread(target=look) for _ in range(3)]
        for thread in threads:
            thread.start()
    finally:
        threading.stack_size(stack)
    for thread in threads:
        thread.join()
    assert found == [expected] * 3
    assert sys.getrecursionlimit() == limit
