"""Plain code: what lies outside of it keeps a step from being traced unasked, whatever it does."""

from __future__ import annotations

import libcst as cst
import pytest

from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.safety.conditions import Condition
from tfxla_lint.semantics.safety.proof import unit_gaps
from tfxla_lint.source import Source

from .conftest import unit_named
from .test_proof import CLASS, PROGRAM

#: What is written before the loop, and what is said of it.
OUTSIDE = [
    ("if rate:\n    def put(): ...\nelse:\n    def put(): ...", "`put` is bound more than once"),
    ("match 3:\n    case rate:\n        pass", "uses `match`"),
    ("print(rate := 3)", "uses `:=`"),
    ("def put():\n    global rate\n    rate = 3", "uses `global`"),
    (
        "def around():\n    rate = 1\n    def put():\n        nonlocal rate\n        rate = 3",
        "uses `nonlocal`",
    ),
    ("def give():\n    yield 3", "uses `yield`"),
    ("async def wait():\n    pass", "uses `async`"),
    ("async def wait(it):\n    await it", "uses `await`"),
    ("try:\n    pass\nexcept* ValueError:\n    pass", "uses `trystar`"),
    ("rates = {}\ndel rates['a']", "deletes what is no name"),
    ("later = (print(i) for i in range(3))", "makes a generator that is not taken at once"),
    ("later = zip((print(i) for i in range(3)))", "makes a generator that is not taken at once"),
    ("for i in range(3):\n    import math", "imports in a loop, a function or a class"),
    ("def late():\n    from math import pi", "imports in a loop, a function or a class"),
    ("class C:\n    for i in range(3):\n        pass", "`C` runs code while it is made"),
    ("class C:\n    print(3)", "`C` runs code while it is made"),
    ("class C:\n    def __del__(self):\n        pass", "`__del__` may reach what nobody names"),
    ("class C:\n    def __bool__(self):\n        pass", "`__bool__` may reach what nobody names"),
    (
        "def own(f):\n    return f\n\n\n@own\ndef g():\n    pass",
        "what `own` makes of it is not known",
    ),
    ("setattr(print, 'rate', 3)", "`setattr` is not known to leave other objects alone"),
    ("from os.path import *", "imports names that are not written out"),
    ("r\u00e9sum\u00e9 = 3\n\uff52ate = 3", "Python makes another name of `\uff52ate`"),
    (
        "class C:\n    def put(self):\n        self.__rate = 3",
        "Python makes another name of `__rate`",
    ),
    (
        "class C(dict):\n    def __init__(self):\n        super().__init__()\n        super().__init__()",
        "sets an object up more than once",
    ),
    ("print(getattr(model, 'built'))", "`getattr` is not known to leave other objects alone"),
    (
        "from IPython import get_ipython\nget_ipython().push({'scale': 3})",
        "`get_ipython` is not known to leave",
    ),
]
#: What is written before the loop, and is plain.
PLAIN = [
    "print(sum(i for i in range(3)), ','.join(str(i) for i in range(3)), max(i for i in [1]))",
    "for i in range(3):\n    last = i\n    del last",
    'class C:\n    """A class."""\n\n    rate: float = 0.1\n\n    def __len__(self):\n        return 3',
    "with open('log') as file:\n    print(f'{3:>4}', file=file)",
    "try:\n    rate = float('3')\nexcept ValueError as error:\n    print(error)\nfinally:\n    print(3)",
    "rates = {i: (lambda: i) for i in [*range(3)]}\nassert rates, 3",
]
#: How the name that a step reads is bound, which may not be for good.
REBINDING = [
    "scale = 1.0\nscale = 2.0",
    "for scale in [1.0, 2.0]:\n    pass",
    "for i in range(2):\n    scale = 2.0",
    "if model.built:\n    scale = 1.0\nelse:\n    scale = 2.0",
    "scale = 1.0\nscale += 1.0",
    "scale = 2.0\ndel scale\nscale = 2.0",
]


def said(text: str, name: str = "train_step") -> list[str]:
    """What is not plain of a program, in the eyes of the proof of one of its functions."""
    model = SemanticModel.build(cst.parse_module(text), Source("example.py", text))
    gaps = unit_gaps(model, unit_named(model, name))
    return [gap.words for gap in gaps if gap.condition is Condition.PLAIN]


@pytest.mark.parametrize(("statements", "words"), OUTSIDE)
def test_what_is_outside_of_plain_code_is_named(statements: str, words: str) -> None:
    found = said(PROGRAM.replace("for x, y in data:", f"{statements}\nfor x, y in data:"))
    assert any(words in each for each in found), found


@pytest.mark.parametrize("statements", PLAIN)
def test_ordinary_code_is_plain(statements: str) -> None:
    assert said(PROGRAM.replace("for x, y in data:", f"{statements}\nfor x, y in data:")) == []


@pytest.mark.parametrize("statements", REBINDING)
def test_what_a_step_reads_is_bound_for_good(statements: str) -> None:
    assert any(
        "`scale` is bound" in words for words in said(PROGRAM.replace("scale = 2.0", statements))
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "trainer = ",
            "class Other(Trainer):\n    def load(self):\n        self.rate = 3\n\n\ntrainer = ",
        ),
        ("for x in", "trainer.rate = 0.2\nfor x in"),
        ("    def step", "    @property\n    def rate(self):\n        return 3\n\n    def step"),
        ("    def __init__", "    rate = 3\n\n    def __init__"),
        (
            "        return self.w * x",
            "        return self.w * x\n\n    def load(self):\n        self.w = 3",
        ),
    ],
)
def test_attributes_that_a_step_reads_are_set_while_the_object_is_made(old: str, new: str) -> None:
    assert old in CLASS
    assert said(CLASS, "Trainer.step") == []
    assert any(
        "by more than `__init__`" in words
        for words in said(CLASS.replace(old, new), "Trainer.step")
    )


LIST = PROGRAM.replace("scale = 2.0", "rates = [1.0, 2.0]").replace("scale *", "rates[0] *")
#: What is done with the list that a step reads, which may change it by another name.
SHARING = [
    "other = rates",
    "max([rates], key=len)[0] = 3.0",
    "next(iter([rates]))[0] = 3.0",
    "kept = dict(a=rates)",
    "print(max(rates, [1.0]))",
    "rates[0] = 3.0",
    "for rates[0] in [3.0]:\n    pass",
    "def put(to):\n    to[0] = 3.0\n\n\nput(rates)",
    "put = lambda: rates",
    "class C:\n    held = rates",
]
#: What reads it.
READING = [
    "print(rates, len(rates), sum(rates), rates[0], max(rates))",
    "for i, rate in enumerate(rates):\n    print(rate)",
    "more = list(rates) + rates + [rate for rate in rates]",
    "print(tf.stack(rates), rates=3)",
]


@pytest.mark.parametrize(
    ("statements", "is_proved"), [*((s, False) for s in SHARING), *((s, True) for s in READING)]
)
def test_a_list_that_a_step_reads_has_one_name(statements: str, is_proved: bool) -> None:
    text = LIST.replace("for x, y in data:", f"{statements}\nfor x, y in data:")
    model = SemanticModel.build(cst.parse_module(text), Source("example.py", text))
    assert (unit_gaps(model, unit_named(model, "train_step")) == []) is is_proved


@pytest.mark.parametrize(
    "made", ["{2.0}", "bytearray(b'a')", "open('rates')", "{'a': 2.0}", "np.ones(1)"]
)
def test_of_what_is_no_list_only_what_lasts_is_read(made: str) -> None:
    text = PROGRAM.replace("scale = 2.0", f"scale = {made}").replace("scale *", "len(scale) *")
    model = SemanticModel.build(cst.parse_module(text), Source("example.py", text))
    assert unit_gaps(model, unit_named(model, "train_step"))


@pytest.mark.parametrize(
    ("read", "is_plain"),
    [
        ("np.get_printoptions()['precision']", False),
        ("os.cpu_count()", False),
        ("np.sqrt(2.0)", True),
        ("math.sqrt(2.0)", True),
        ("float('2')", True),
    ],
)
def test_a_step_asks_no_library_for_its_settings(read: str, is_plain: bool) -> None:
    text = PROGRAM.replace("scale *", f"{read} *").replace(
        "scale =", "import math\nimport os\nscale ="
    )
    words = "is not known to compute of its arguments alone"
    assert any(words in each for each in said(text)) is not is_plain


def test_an_attribute_is_set_once_while_an_object_is_made() -> None:
    once = CLASS.replace("    rate = 0.1\n\n", "").replace(
        "tf.Variable(1.0)\n", "tf.Variable(1.0)\n        self.rate = 0.1\n"
    )
    twice = once.replace(
        "= 0.1\n", "= 0.1\n        self.step(tf.ones([2]))\n        self.rate = 3.0\n"
    )
    assert said(once, "Trainer.step") == []
    assert any("by more than `__init__`" in words for words in said(twice, "Trainer.step"))


def test_a_name_that_python_has_too_is_not_bound_for_good() -> None:
    text = PROGRAM.replace("scale *", "abs(-2.0) *")
    assert said(text) == []
    assert any(
        "`abs` is bound" in words for words in said(text + "\n\ndef abs(x):\n    return 3.0\n")
    )


@pytest.mark.parametrize(
    ("default", "is_plain"),
    [("2.0", True), ("-1", True), ("None", True), ("[]", False), ("scale", False)],
)
def test_defaults_are_constants(default: str, is_plain: bool) -> None:
    text = PROGRAM.replace("def train_step(x, y):", f"def train_step(x, y, more={default}):")
    assert ("the default of `more` is no constant" not in said(text)) is is_plain
