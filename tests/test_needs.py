"""What rules need of the code: each says it, and a file that lacks it is not looked into."""

from __future__ import annotations

import ast
import io
import tokenize
from pathlib import Path

import pytest

from tests.fake_rules import fake_catalogue
from tfxla_lint.linter import Linter
from tfxla_lint.needs import SETS, TARGET, are_met
from tfxla_lint.project.words import words_of
from tfxla_lint.registry import TOOL_FAMILY, RuleInfo, load_rule, read_catalogue
from tfxla_lint.source import Source
from tfxla_lint.work import LintOptions

ROOT = Path(__file__).parents[1]
RULES = [rule for rule in read_catalogue().rules if rule.family != TOOL_FAMILY]
#: Some of the code that stands here, and is Python.
FILES = (
    sorted((ROOT / "testdata").glob("[!t]*/*/*_bad.py"))[::40]
    + sorted((ROOT / "testdata/tracing").rglob("*_bad.py"))[::40]
    + sorted((ROOT / "tests").glob("*.py"))[::8]
)


@pytest.mark.parametrize("info", RULES, ids=lambda info: info.code)
def test_a_rule_says_what_it_needs(info: RuleInfo) -> None:
    assert "needs" in vars(type(load_rule(info))), "say what it needs; () is any file"
    for word in (word for group in info.needs for word in group.split("|")):
        assert not word.startswith("@") or word == TARGET or word in SETS


def test_a_rule_of_a_plug_in_needs_nothing_unless_it_says_so() -> None:
    assert all(are_met(rule.needs, frozenset()) for rule in fake_catalogue().rules)


def test_a_word_of_each_group_is_needed() -> None:
    needs = ("for|while", ".fit")
    assert are_met(needs, frozenset({"while", ".fit"}))
    assert not are_met(needs, frozenset({"while", "fit"}))
    assert not are_met(needs, frozenset({"for", "while"}))


@pytest.mark.parametrize(
    ("code", "word"),
    [
        ("tf.function(f)", ".function"),
        ("tf. \\\n  function(f)", ".function"),
        ("from tensorflow import (  # all\n  Variable,\n  function as traced)", ".function"),
        ("from tensorflow \\\n import function", ".function"),
        ("getattr(tf, 'function')", ".function"),
        ("print(f'{tf.function(f)(1)}')", ".function"),
        ("print(rf'a {x}', 'b', tf.function(f))", ".function"),
        ('print(f"""{tf.function(f)}""")', ".function"),
        ("print(f'{x}', '''a # b''', tf.function(f))", ".function"),
        ("print(f'a \\\n # {tf.function(f)}', x)", ".function"),
        ("print(f'{g(\"#\")}', tf.function(f))", ".function"),
        ("import os, tensorflow.keras as k", "import tensorflow"),
        ("if x: import tensorflow as tf", "import tensorflow"),
        ("x = 1;from tensorflow.keras import layers", "import tensorflow"),
        ("from tensorflow \\\n import function", "import tensorflow"),
        ("from keras import src", "import keras"),
    ],
)
def test_a_word_of_the_code_is_found(code: str, word: str) -> None:
    assert word in words_of(code)


@pytest.mark.parametrize(
    ("code", "word"),
    [
        ("# tf.function\n", ".function"),
        ("'''What tf.function\nmakes.'''\n", ".function"),
        ("x = 'a tf.function'\n", ".function"),
        ("function = 1\n", ".function"),
        ("from keras.src.models import Model\nkeras.src.Model\n", "import keras"),
        ("from keras.src.utils import keras_export\n", "import keras_export"),
        ("from .keras import layers\n", "import keras"),
        ("imported = keras\n", "import keras"),
    ],
)
def test_what_is_no_word_of_the_code_is_none(code: str, word: str) -> None:
    assert word not in words_of(code)


def test_every_name_of_real_files_is_among_their_words() -> None:
    for path in FILES:
        text = Source.read(path).text
        words = words_of(text)
        tokens = tokenize.generate_tokens(io.StringIO(text).readline)
        names = {token.string for token in tokens if token.type == tokenize.NAME}
        read = {
            f".{node.attr}" for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Attribute)
        }
        assert {name for name in names | read if name.isascii()} <= words, path


def test_a_file_that_lacks_what_all_rules_need_is_not_parsed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr("libcst.parse_module", refuse)
    options = LintOptions(frozenset({"TXL101", "TXL305"}), frozenset())
    code = b"from keras.src.layers import Dense\n\n\ndef make(size):\n    return Dense(size)\n"
    result, _ = Linter(read_catalogue(), options).lint_bytes(code, "code.py")
    assert result.crashed == ()
    code = code.replace(b"keras.src", b"keras") + b"for size in sizes: make(size)\n"
    result, _ = Linter(read_catalogue(), options).lint_bytes(code, "code.py")
    assert [crash.code for crash in result.crashed] == ["parser"]
