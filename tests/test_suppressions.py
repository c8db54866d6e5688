"""Comments that silence findings, those that silence nothing, and comments that are added."""

from __future__ import annotations

import pytest

from tests.fake_rules import fake_catalogue
from tfxla_lint.linter import Linter, LintResult
from tfxla_lint.noqa import add_noqa
from tfxla_lint.source import Source, apply_edits
from tfxla_lint.work import LintOptions

CATALOGUE = fake_catalogue()
HEADER = "import tensorflow as tf\n"


def lint(text: str, *codes: str) -> LintResult:
    enabled = frozenset(codes) | {"TXL001", "TXL002"} if codes else CATALOGUE.defaults
    return Linter(CATALOGUE, LintOptions(enabled, CATALOGUE.codes)).lint(Source("a.py", text))


def codes(text: str, *selected: str) -> list[str]:
    return [finding.code for finding in lint(HEADER + text, *selected).findings]


SILENCED = {
    "code": "sync()  # noqa: TXL104\n",
    "small letters": "sync()  # NoQA:txl104\n",
    "no space": "sync() #noqa:TXL104\n",
    "bare": "sync()  # noqa\n",
    "bare with a remark": "sync()  # noqa: measured, it does not matter\n",
    "prefix": "sync()  # noqa: TXL1\n",
    "name": "sync()  # noqa: host-sync-in-loop\n",
    "among others": "sync()  # noqa: E501, TXL104, W291\n",
    "between blanks": "sync()  # noqa: E501 TXL104\n",
    "after another comment": "sync()  # type: ignore # noqa: TXL104\n",
    "with a remark": "sync()  # noqa: TXL104 because of the tests\n",
    "ignore by code": "sync()  # tfxla-lint: ignore[TXL104]\n",
    "ignore by name": "sync()  # tfxla-lint: ignore[host-sync-in-loop]\n",
    "ignore by family": "sync()  # tfxla-lint: ignore[eager]\n",
    "ignore bare": "sync()  # tfxla-lint: ignore\n",
    "ignore above": "# tfxla-lint: ignore[TXL104]\nsync()\n",
    "ignore above a remark": "# tfxla-lint: ignore[TXL104]\n# needed for the log\nsync()\n",
    "ignore above, in a block": "def f():\n    # tfxla-lint: ignore[TXL104]\n    sync()\n",
    "first line": "print(  # noqa: TXL104\n    sync(),\n    0,\n)\n",
    "own line": "print(\n    sync(),  # noqa: TXL104\n    0,\n)\n",
    "other line": "print(\n    sync(),\n    0,  # noqa: TXL104\n)\n",
    "last line": "print(\n    sync(),\n    0,\n)  # noqa: TXL104\n",
    "line of its own in the statement": "print(\n    # noqa: TXL104\n    sync(),\n)\n",
    "after a string": "x = sync(), '''\na\n'''  # noqa: TXL104\n",
    "after a backslash": "x = sync(), \\\n    0  # noqa: TXL104\n",
    "header": "with (\n    sync() as x,\n    y,\n):  # noqa: TXL104\n    pass\n",
    "decorator": "@sync()\n@b  # noqa: TXL104\n# c\n\n@d\ndef f():\n    pass\n",
    "def of a decorator": "@sync()\ndef f():  # noqa: TXL104\n    pass\n",
    "above a decorator": "# tfxla-lint: ignore[TXL104]\n@a\ndef f(x=sync()):\n    pass\n",
    "between decorators": "@a\n# tfxla-lint: ignore[TXL104]\n@sync()\ndef f():\n    pass\n",
    "file": "sync()\nx = 0\n# tfxla-lint: ignore-file[TXL104]\n",
    "file, bare": "# tfxla-lint: ignore-file\nsync()\n",
    "semicolons": "x = 0; sync(); y = 0  # noqa: TXL104\n",
    "carriage returns": "x = (\r\n    sync(),\r\n    0)  # noqa: TXL104\r\n",
    "old line ends": "x = (\r    sync(),\r    0)  # noqa: TXL104\r",
    "form feed": "\fsync()  # noqa: TXL104\n",
}


@pytest.mark.parametrize("text", SILENCED.values(), ids=SILENCED.keys())
def test_silenced(text: str) -> None:
    result = lint(HEADER + text)
    assert result.findings == ()
    assert result.suppressed == 1


NOT_SILENCED = {
    "a list that does not end": "sync()  # tfxla-lint: ignore[TXL301\n",
    "an empty list that does not end": "sync()  # tfxla-lint: ignore-file [\n",
    "another code": "sync()  # noqa: E501\n",
    "another rule": "sync()  # noqa: TXL102\n",
    "another line": "sync()\nx = 0  # noqa\n",
    "text": "sync('# noqa')\n",
    "a line of its own": "# noqa: TXL104\nsync()\n",
    "above, with a blank line": "# tfxla-lint: ignore[TXL104]\n\nsync()\n",
    "trailing the line above": "x = 0  # tfxla-lint: ignore[TXL104]\nsync()\n",
    "inside the block": "with sync():\n    # tfxla-lint: ignore[TXL104]\n    pass\n",
    "header of the block": "if x:  # noqa: TXL104\n    sync()\n",
    "nothing listed": "sync()  # tfxla-lint: ignore[]\n",
    "another word": "sync()  # noqanoqa\n",
}


@pytest.mark.parametrize("text", NOT_SILENCED.values(), ids=NOT_SILENCED.keys())
def test_not_silenced(text: str) -> None:
    assert "TXL104" in codes(text)


# TXL002


REMOVED = {
    "x = 0  # noqa: TXL104\n": "x = 0\n",
    "x = 0  # noqa: TXL104, TXL102\n": "x = 0\n",
    "x = 0  # noqa: E501, TXL104\n": "x = 0  # noqa: E501\n",
    "x = 0  # noqa: TXL104, E501\n": "x = 0  # noqa: E501\n",
    "x = 0  # noqa: TXL104,E501,TXL102,W291\n": "x = 0  # noqa: E501,W291\n",
    "x = 0  # noqa: E501 TXL104 TXL102\n": "x = 0  # noqa: E501\n",
    "sync()  # noqa: TXL104, TXL102\n": "sync()  # noqa: TXL104\n",
    "x = 0  # noqa: TXL104 - slow, but clear\n": "x = 0  # slow, but clear\n",
    "x = 0  # noqa: TXL104 -- slow: see above;\n": "x = 0  # slow: see above;\n",
    "x = 0  # noqa: TXL104 -1 stands for none...  \n": "x = 0  # -1 stands for none...  \n",
    "x = 0  # noqa: TXL104, .5 is a half -\n": "x = 0  # .5 is a half -\n",
    "x = 0  # noqa: TXL104 ;\n": "x = 0\n",
    "x = 0  # type: ignore # noqa: TXL104\n": "x = 0  # type: ignore\n",
    "x = 0  # noqa: TXL104 # type: ignore\n": "x = 0  # type: ignore\n",
    "x = 0  # see above; # noqa: TXL104 ok\n": "x = 0  # see above; # ok\n",
    "x = 0  # tfxla-lint: ignore[TXL104]\n": "x = 0\n",
    "x = 0  # tfxla-lint: ignore[eager, TXL501]\n": "x = 0\n",
    "x = 1  # tfxla-lint: ignore[eager, TXL501]\n": "x = 1  # tfxla-lint: ignore[TXL501]\n",
    "if a:\n    # tfxla-lint: ignore[TXL104]\n    x = 0\n": "if a:\n    x = 0\n",
    "x = 0\n# tfxla-lint: ignore-file[TXL104]": "x = 0\n",
    "# noqa: TXL104\r\nx = 0\r\n": "x = 0\r\n",
}


@pytest.mark.parametrize(("text", "fixed"), REMOVED.items())
def test_unused_suppressions_are_removed(text: str, fixed: str) -> None:
    (finding,) = lint(HEADER + text).findings
    assert finding.code == "TXL002"
    assert finding.fix is not None
    assert apply_edits(HEADER + text, finding.fix.edits) == HEADER + fixed
    assert lint(HEADER + fixed).findings == ()


LEFT_ALONE = {
    "bare": "x = 0  # noqa\n",
    "bare ignore": "x = 0  # tfxla-lint: ignore\n",
    "bare ignore-file": "# tfxla-lint: ignore-file\n",
    "codes of others": "x = 0  # noqa: E501, W291\n",
    "a rule that is off": "x = 0  # noqa: TXL405\n",
    "a family that is partly off": "x = 0  # tfxla-lint: ignore[ALL]\n",
    "itself": "x = 0  # noqa: TXL002\n",
    "silenced by itself": "x = 0  # noqa: TXL104, TXL002\n",
}


@pytest.mark.parametrize("text", LEFT_ALONE.values(), ids=LEFT_ALONE.keys())
def test_suppressions_that_are_left_alone(text: str) -> None:
    assert codes(text) == []


def test_only_rules_that_ran_are_looked_at() -> None:
    text = "x = 0  # noqa: TXL104, TXL501\n"
    assert codes(text, "TXL102") == []
    (finding,) = lint(HEADER + text, "TXL501").findings
    assert finding.message == "this suppression of TXL501 silences nothing"


def test_files_without_our_words_are_looked_at_too() -> None:
    assert [f.code for f in lint("x = 0  # noqa: TXL104\n").findings] == ["TXL002"]


@pytest.mark.parametrize(
    ("text", "message", "has_fix"),
    [
        ("x = 0  # tfxla-lint: ignore[host-sink-in-loop]\n", "did you mean host-sync-in", False),
        ("x = 0  # tfxla-lint: ignore[zzz]\n", "no rule is called zzz", True),
        ("x = 0  # noqa: TXL199\n", "no rule is called TXL199", False),
        ("x = 0  # noqa: TXL001\n", "TXL001 cannot be suppressed", True),
    ],
)
def test_words_that_can_silence_nothing(text: str, message: str, has_fix: bool) -> None:
    (finding,) = lint(HEADER + text).findings
    assert message in finding.message
    assert (finding.fix is not None) is has_fix


def test_the_place_of_an_unused_suppression() -> None:
    (finding,) = lint("x = 'é'  # type: ignore # noqa: TXL104\n").findings
    assert (finding.span.line, finding.span.column, finding.span.end_column) == (1, 25, 39)


# --add-noqa


ADDED = {
    "sync()\n": "sync()  # noqa: TXL104\n",
    "sync()": "sync()  # noqa: TXL104",
    "sync()   \r\n": "sync()  # noqa: TXL104   \r\n",
    "x = sync(), 1\n": "x = sync(), 1  # noqa: TXL104, TXL501\n",
    "sync()  # slow\n": "sync()  # slow  # noqa: TXL104\n",
    "sync()  # noqa: E501\n": "sync()  # noqa: E501, TXL104\n",
    "sync(), 1  # noqa: TXL104\n": "sync(), 1  # noqa: TXL104, TXL501\n",
    "f(\n    sync(),\n)\n": "f(\n    sync(),  # noqa: TXL104\n)\n",
    "x = sync(), \\\n    0\n": "x = sync(), \\\n    0  # noqa: TXL104\n",
    "x = '''\n''', sync(), '''\n'''\n": "x = '''\n''', sync(), '''\n'''  # noqa: TXL104\n",
    "@sync()\ndef f():\n    pass\n": "@sync()  # noqa: TXL104\ndef f():\n    pass\n",
    "if sync() and \\\n   x:\n    pass\n": "if sync() and \\\n   x:  # noqa: TXL104\n    pass\n",
    "x = f'''{\nsync()}\n'''\n": "x = f'''{\nsync()}\n'''  # noqa: TXL104\n",
}


@pytest.mark.parametrize(("text", "silenced"), ADDED.items())
def test_comments_are_added(text: str, silenced: str) -> None:
    source = Source("a.py", HEADER + text)
    result, count = add_noqa(source, lint(source.text).findings)
    assert result == HEADER + silenced
    assert count >= 1
    assert lint(result).findings == ()


def test_nothing_is_added_for_unused_suppressions() -> None:
    text = "x = 0  # noqa: TXL104\n"
    assert add_noqa(Source("a.py", text), lint(text).findings) == (text, 0)
