"""Programs with constants where nobody expects them: what a linter computes of them must not fail.

Two kinds are made: a step whose calls of TensorFlow get odd arguments, by position and by name, and a
file of the test data of which some expressions are replaced. None of them is ever run; each is linted
with all rules, and fixed.
"""

from __future__ import annotations

import random
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import libcst as cst
from libcst.metadata import ByteSpanPositionProvider, MetadataWrapper

from tfxla_lint.fixer import fix_text
from tfxla_lint.knowledge import symbols
from tfxla_lint.linter import Linter
from tfxla_lint.registry import read_catalogue
from tfxla_lint.source import Source
from tfxla_lint.work import LintOptions

ROOT = Path(__file__).parents[2]
#: Empty, of the wrong sign, of another kind, too large for a machine, or no expression of one line.
ODD = (
    "()", "[]", "{}", "''", "b''", "None", "True", "...", "0", "1", "-1", "-0.0", "1e999", "-1e999", "1e-320",
    "2**31", "2**63 - 1", "-(2**63)", "2**64", "10**30", "10**400", "9" * 300, "0x" + "f" * 40, "1j", "(0,)",
    "[0, -1]", "(None, 3)", "[None]", "[[], []]", "((),)", "(2**62,) * 3", "[10**30, 2]", "range(0)",
    "range(10**30)", "range(0, 10, -1)", "range(-(2**63), 2**63 - 1)", "x[::0]", "x[5:2]", "x[-(2**40):]",
    "x[..., None]", "x[()]", "(yield)", "(n for n in ())", "[n for n in x]", "{**{}}", "{1: 2}", "{1, 2}",
    "(m := 0)", "lambda: 0", "lambda *a, **k: ()", "f''", "f'{x!r:>{0}}'", "'' ''", "x", "x.shape", "x.shape[0]",
    "tf.shape(x)", "tf.shape(x)[0]", "tf.constant([])", "tf.constant(())", "tf.zeros([0, 3])", "tf.float32",
    "tf", "int", "not x", "x if x else ()", "-x", "x @ x", "len(())", "'\\ud800'", "'\\0'", "__name__",
    "tf.zeros([2**40, 2**40])", "tf.data.Dataset.range(0)", "tf.data.Dataset.from_tensor_slices([])", "super",
    "tf.keras.Sequential([])", "tf.Variable(0)", "np.zeros(())", "np.arange(0)", "*()", "**{}", "self", "await_",
)  # fmt: skip
#: What is odd as an argument only.
_STARRED = frozenset({"*()", "**{}"})
_PLAIN = tuple(odd for odd in ODD if odd not in _STARRED and odd != "(yield)")


@dataclass(frozen=True, slots=True)
class Odd:
    """A program of which something failed: what it is, and the traceback or what was said."""

    text: str
    said: str

    @property
    def place(self) -> str:
        """Where it failed: the last line of code that the traceback names."""
        named = [line.strip() for line in self.said.splitlines() if line.startswith('  File "')]
        return named[-1] if named else self.said


class Oddities:
    """Makes programs and tries them, all from one seed."""

    def __init__(self, seed: int) -> None:
        self._dice = random.Random(seed)
        catalogue = read_catalogue()
        codes = frozenset(rule.code for rule in catalogue.rules)
        self._linter = Linter(catalogue, LintOptions(codes, codes))

    def program(self) -> str:
        """The next program: it parses."""
        while True:
            text = self._mutant() if self._dice.random() < 0.4 else self._calls()
            try:
                cst.parse_module(text)
            except cst.ParserSyntaxError:
                continue
            return text

    def failure(self, text: str) -> Odd | None:
        """What failed when a program was linted and fixed; None where nothing did."""
        try:
            source = Source("odd.py", text)
            crashed = self._linter.lint(source).crashed
            if not crashed:
                crashed = fix_text(source, self._linter.lint, unsafe=True).result.crashed
        except Exception:
            return Odd(text, traceback.format_exc())
        return Odd(text, crashed[0].traceback) if crashed else None

    def _calls(self) -> str:
        lines = [self._dice.choice(_HEADERS)]
        lines += [f"    {self._statement()}" for _ in range(self._dice.randint(1, 4))]
        return _BEFORE + "\n".join(lines) + self._dice.choice(_AFTER)

    def _statement(self) -> str:
        call = self._call(1)
        return self._dice.choice(_STATEMENTS).format(call=call, odd=self._dice.choice(_PLAIN))

    def _call(self, depth: int) -> str:
        name = self._dice.choice(_callables())
        arguments, known = [], _parameters(name)
        for place in range(self._dice.randint(0, max(2, min(len(known), 4)))):
            given = self._argument(depth)
            is_named = bool(known) and given not in _STARRED and self._dice.random() < 0.4
            arguments.append(f"{self._dice.choice(known)}={given}" if is_named else given)
            if place == 0 and self._dice.random() < 0.3:
                arguments[0] = "x"
        positional = [each for each in arguments if not _is_named(each)]
        return f"{name}({', '.join([*positional, *_once(arguments)])})"

    def _argument(self, depth: int) -> str:
        if depth and self._dice.random() < 0.15:
            return self._call(depth - 1)
        return self._dice.choice(ODD)

    def _mutant(self) -> str:
        text = self._dice.choice(_test_data())
        places = _places(text)
        for start, end in self._some(places):
            text = text[:start] + self._dice.choice(_PLAIN) + text[end:]
        return text

    def _some(self, places: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
        """Places that do not overlap, from the last to the first."""
        chosen: list[tuple[int, int]] = []
        picked = self._dice.sample(places, min(len(places), self._dice.randint(1, 3)))
        for start, end in sorted(picked, reverse=True):
            if not chosen or end <= chosen[-1][0]:
                chosen.append((start, end))
        return chosen


_BEFORE = """\
import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
optimizer = tf.keras.optimizers.Adam()
dataset = tf.data.Dataset.from_tensor_slices(np.zeros((64, 4), "float32")).batch(8)
"""
_HEADERS = (
    "for x in dataset:", "@tf.function\ndef step(x):", "def step(x):", "for i in range(1000):\n    x = tf.ones([4])",
    "class Layer(tf.keras.layers.Layer):\n  def call(self, x):", "while True:\n    x = next(iter(dataset))",
    "@tf.function(jit_compile=True)\ndef step(x, n=0):", "async def step(x):",
)  # fmt: skip
_STATEMENTS = (
    "y = {call}", "y = {odd}\n    z = {call}", "print({call})", "if {call}:\n        y = {odd}",
    "for n in {odd}:\n        y = {call}", "for n in range({odd}):\n        x = {call}", "x = x[{odd}]\n    {call}",
    "with tf.GradientTape() as tape:\n        y = {call}\n    g = tape.gradient(y, {odd})", "x += {call}",
    "y, z = {call}, {odd}", "y = [{call} for n in range(3)]", "x.assign({call})", "return_ = {call} * {odd}",
    "y = x.numpy()[{odd}] + {call}", "x = tf.reshape(x, {odd})\n    y = {call}", "y = dataset.batch({odd}).repeat({odd})",
    "model.fit({odd}, {call}, batch_size={odd}, epochs={odd})", "while {odd}:\n        y = {call}",
    "assert {call}, {odd}", "y = {call} if {odd} else x", "tf.print({call}, {odd})", "y = float({call})",
    "model.compile({odd}, loss={call}, run_eagerly={odd})", "y = {call} + {odd} ** {odd} // 3 % 2",
)  # fmt: skip
_AFTER = ("\n", "\n\nfor _ in range(50):\n    step(tf.ones([4]))\n", "\n\nmodel.predict(step)\n")


def _is_named(argument: str) -> bool:
    name, found, _ = argument.partition("=")
    return argument.startswith("**") or (bool(found) and name.isidentifier())


def _once(arguments: Sequence[str]) -> list[str]:
    """The named ones, each name once, what is unpacked last."""
    named = {argument.partition("=")[0]: argument for argument in arguments if _is_named(argument)}
    return sorted(named.values(), key=lambda argument: argument.startswith("**"))


@cache
def _parameters(name: str) -> list[str]:
    """The names of the parameters of what is spelled `tf.reshape`, as far as they are known."""
    _, found, rest = name.partition("tf.")
    symbol = symbols.find(symbols.ROOT + rest) if found else None
    taken = symbol.params if symbol is not None else None
    return [each.name for each in taken or ()]


@cache
def _callables() -> tuple[str, ...]:
    """What is called of TensorFlow as users write it, and builtins of which values are known."""
    spelled = [f"tf{name[len('tensorflow') :]}" for name in symbols.names()]
    usual = [name for name in spelled if ".compat." not in name and ".raw_ops." not in name]
    builtins = (
        "range",
        "len",
        "int",
        "float",
        "zip",
        "enumerate",
        "sum",
        "max",
        "reversed",
        "sorted",
    )
    arrays = (
        "np.zeros",
        "np.arange",
        "np.reshape",
        "np.linspace",
        "np.eye",
        "np.full",
        "np.random.rand",
    )
    return (
        *spelled,
        *usual,
        *usual,
        *usual,
        *(each for each in (*builtins, *arrays) for _ in range(10)),
    )


@cache
def _test_data() -> tuple[str, ...]:
    read = (path.read_bytes() for path in sorted((ROOT / "testdata").rglob("*.py")))
    return tuple(data.decode() for data in read if data.isascii() and len(data) < 8000)


@cache
def _places(text: str) -> tuple[tuple[int, int], ...]:
    """Where the expressions of an ASCII text stand that something else can be written for."""
    try:
        parsed = cst.parse_module(text)
    except cst.ParserSyntaxError:
        return ()
    spans = MetadataWrapper(parsed, unsafe_skip_copy=True).resolve(ByteSpanPositionProvider)
    kinds = (cst.Integer, cst.Float, cst.SimpleString, cst.List, cst.Tuple, cst.Call, cst.Name)
    found = {
        (span.start, span.start + span.length)
        for node, span in spans.items()
        if isinstance(node, kinds) and span.length
    }
    return tuple(sorted(found))
