"""Programs that are long, or whose calls are deep, are linted like others."""

from __future__ import annotations

import gc
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from types import FrameType

import libcst as cst
import pytest

from tfxla_lint.linter import Linter, LintResult
from tfxla_lint.project.layout import Layout
from tfxla_lint.project.scan import scan
from tfxla_lint.registry import read_catalogue
from tfxla_lint.semantics import contexts
from tfxla_lint.semantics.flow import origins
from tfxla_lint.semantics.safety.consumed import Asked, Consumption
from tfxla_lint.source import Source
from tfxla_lint.work import LintOptions
from tools.measure_growth import SHAPES, depth, exponent, loops, seconds
from tools.measure_memory import write


@pytest.fixture(autouse=True, scope="module")
def _others_set_aside() -> Iterator[None]:
    """Garbage is collected before each time is taken: what other tests keep need not be searched."""
    gc.freeze()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gc, "unfreeze", lambda: None)
        yield


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES.keys())
def test_every_shape_is_linted_without_a_crash(shape: object) -> None:
    assert callable(shape)
    assert seconds(shape(3)) > 0


def test_what_reads_the_same_names_in_many_loops_is_judged_once_for_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What rests on an answer was asked again once for each time that it had asked: ten loops of a
    script took a thousand times as long as seven."""
    judged, judge = Counter[int](), Consumption._judge

    def counted(consumption: Consumption, node: cst.BaseExpression) -> Asked:
        judged[turns] += 1
        return judge(consumption, node)

    monkeypatch.setattr(Consumption, "_judge", counted)
    for turns in (3, 6):
        assert seconds(loops(turns)) > 0
    assert 0 < judged[6] <= 4 * judged[3]


def test_a_name_that_a_thousand_loops_may_bind_is_not_followed_through_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each read was asked for all bindings before it: a thousand loops took 23 seconds."""
    looked, look = Counter[int](), origins.Origins._of

    def counted(self: origins.Origins[object], origin: origins._Origin) -> object:
        looked[turns] += 1
        return look(self, origin)

    monkeypatch.setattr(origins.Origins, "_of", counted)
    for turns in (200, 400):
        body = "while x:\n    x = x\n" * turns
        assert seconds({"a.py": f"import tensorflow as tf\n\nx = tf.ones([2])\n{body}"}) > 0
    assert 0 < looked[400] <= 3 * looked[200]


def test_the_other_sides_of_a_test_are_looked_for_once_in_a_block(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Twenty thousand statements with a finding each took minutes."""
    linted("y = tf.argmax(x, dimension=0)\n")
    guards = sys.modules["tfxla_lint.rules.api.shared.version_guards"]
    asked, ask = Counter[int](), guards.leaves

    def counted(body: cst.BaseSuite) -> bool:
        asked[turns] += 1
        return bool(ask(body))

    monkeypatch.setattr(guards, "leaves", counted)
    for turns in (5, 50):
        text = "if x is None:\n    x = tf.ones([2])\ny = tf.argmax(x, dimension=0)\n" * turns
        assert len(linted(text).findings) >= turns
    assert 0 < asked[50] <= 12 * asked[5]


def branches(size: int) -> str:
    """A loop in which each of many tests may bind a name anew that later ones read."""
    tests = "".join(f"    if k > {i}:\n        x = x + {i}.0\n" for i in range(size))
    return f"x, k = tf.ones([8]), 3\nfor step in range(100):\n{tests}    print(step)\nprint(x)\n"


def alternatives(size: int) -> str:
    """A test that has many parts, each of which the step's tensors are read for."""
    test = " or ".join(f"float(tf.reduce_sum(x)) > {i}.0" for i in range(size))
    body = f"    x = tf.nn.relu(x) + 1.0\n    if {test}:\n        break\n    print(step)\n"
    return f"x = tf.ones([8])\nfor step in range(100):\n{body}"


def converted(size: int) -> str:
    """Tests of a tensor, which AutoGraph converts."""
    tests = "".join(
        f"    if tf.reduce_sum(x) > {i}.0:\n        x = x + {i}.0\n" for i in range(size)
    )
    return (
        f"@tf.function\ndef f(x):\n{tests}    return x\n\nfor t in range(9):\n    f(tf.ones([4]))\n"
    )


def traced(size: int) -> str:
    """Calls of a traced function with a number that each turn of a loop changes."""
    calls = "".join(f"    y_{i} = f(tf.ones([4]), t + {i})\n" for i in range(size))
    return f"@tf.function\ndef f(x, k):\n    return x * k\n\nfor t in range(9):\n{calls}"


def predictions(size: int) -> str:
    """Calls of one model in one loop."""
    calls = "".join(f"    p_{i} = model.predict(tf.ones([1, 4]))\n" for i in range(size))
    return f"model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\nfor t in range(9):\n{calls}"


def steps(size: int) -> str:
    """Steps of an environment, each with its own reset, in one loop."""
    made = "model = tf.keras.Sequential([tf.keras.layers.Dense(2)])\ns = env.reset()\nbuffer = []\n"
    step = (
        "    a = model(s[None])\n    s, r, d, _ = env.step(int(tf.argmax(a[0])))\n"
        "    buffer.append((s, a, r))\n    if d:\n        s = env.reset()\n"
    )
    return f"import gym\n\nenv = gym.make('a')\n{made}for t in range(999):\n{step * size}"


def maps(size: int) -> str:
    """A chain of stages of a pipeline."""
    chain = "".join(f".map(lambda v: v + {i})" for i in range(size))
    return f"d = tf.data.Dataset.range(10){chain}\nfor b in d:\n    print(b.numpy())\n"


@pytest.mark.parametrize("shape", [converted, traced, predictions, steps, maps])
def test_what_is_asked_of_a_loop_is_found_once(shape: Callable[[int], str]) -> None:
    """What many places of a loop, or of a function, ask about it as a whole was found for each anew."""
    linted(shape(2))
    assert called_in(shape(60)) < 2.5 * called_in(shape(30))


def layers(size: int) -> str:
    """Layers that are made of two of the next one each."""
    made = "class L0(tf.keras.layers.Layer):\n    def call(self, x):\n        return x + 1.0\n\n"
    for i in range(size):
        made += (
            f"class L{i + 1}(tf.keras.layers.Layer):\n    def __init__(self):\n"
            f"        super().__init__()\n        self.a = L{i}()\n        self.b = L{i}()\n\n"
            "    def call(self, x):\n        return self.a(x) + self.b(x)\n\n"
        )
    loop = "for t in range(99):\n    print(float(tf.reduce_sum(model(tf.ones([4])))))\n"
    return f"{made}model = L{size}()\n{loop}"


def dicts(size: int) -> str:
    """A dict in a dict and so on, which each turn of a loop makes of the one before."""
    made = "{'a': " * size + "x" + "}" * size
    read = "d" + "['a']" * size
    return f"x = tf.ones([8])\nfor t in range(9):\n    d = {made}\n    x = {read}\n    print(t)\n"


@pytest.mark.parametrize(("nest", "size"), [(branches, 20), (layers, 8), (dicts, 7)])
def test_what_is_twice_as_deep_takes_no_power_of_it(nest: Callable[[int], str], size: int) -> None:
    """Each was exponential, or the cube of its size: counted by what is called."""
    linted(nest(2))
    assert called_in(nest(2 * size)) < 3 * called_in(nest(size))


@pytest.mark.parametrize(("shape", "size"), [(branches, 60), (alternatives, 30)])
def test_what_all_rests_on_each_other_takes_no_cube_of_it(
    shape: Callable[[int], str], size: int
) -> None:
    """Of 80 branches each question went another way through all, and none was kept of what was cut
    short; of a chain of `or`, each part asked anew what stands in every part before it."""
    linted(shape(2))
    assert called_in(shape(2 * size)) < 3.5 * called_in(shape(size))


def test_what_takes_too_much_is_not_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 640 branches each question was broken off after as many steps, and the next began anew."""
    monkeypatch.setattr(origins, "_MOST", 200)
    linted(branches(2))
    assert called_in(branches(120)) < 4 * called_in(branches(60))


def called_in(text: str) -> int:
    """How many functions are called while a text is linted."""
    count = 0

    def counted(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        assert not linted(text).crashed
    finally:
        sys.setprofile(before)
    return count


def test_a_chain_of_640_functions_is_followed_to_its_end() -> None:
    """Two calls of Python for each function would be too deep for its stack."""
    program = depth(80)
    assert program["main.py"].count("def ") == 641
    assert seconds(program) > 0


def test_a_large_project_has_the_lines_that_are_asked_for(tmp_path: Path) -> None:
    assert write(tmp_path, 3_000) == 12
    texts = [path.read_text() for path in sorted(tmp_path.glob("part_*/file_*.py"))]
    assert [text.count("\n") for text in texts] == [250] * 12
    for text in texts:
        compile(text, "file.py", "exec")


def test_the_exponent_is_the_slope_between_logarithms() -> None:
    assert exponent([1, 2, 4], [3.0, 12.0, 48.0]) == pytest.approx(2.0)


def linted(text: str, codes: Collection[str] | None = None) -> LintResult:
    catalogue = read_catalogue()
    enabled = frozenset(codes or catalogue.codes)
    options = LintOptions(enabled, enabled)
    return Linter(catalogue, options).lint(Source("a.py", "import tensorflow as tf\n\n" + text))


def chain(length: int) -> str:
    calls = "".join(f"def f{i}(x):\n    return f{i - 1}(x)\n\n" for i in range(1, length))
    head = "def f0(x):\n    y = tf.abs(x)\n    print(y.numpy())\n    return y\n\n"
    return f"{head}{calls}@tf.function\ndef g(x):\n    return f{length - 1}(x)\n"


def test_what_is_handed_on_twice_by_each_of_many_functions_is_linted() -> None:
    """As many ways lead through these as there are atoms in a cup of tea."""
    calls = "".join(f"def f{i}(x):\n    return f{i - 1}(x) + f{i - 1}(x)\n\n" for i in range(1, 90))
    text = f"def f0(x):\n    return tf.square(x)\n\n{calls}for i in range(100):\n    f89(tf.ones([2]))\n"
    found = linted(text, {"TXL101"})
    assert found.crashed == ()
    assert len(found.findings) == 1


@pytest.mark.parametrize("shape", ["recorded", "circle"])
def test_what_many_ways_lead_through_is_asked_once(shape: str) -> None:
    """Blocks of blocks below a tape, and functions each of which calls all others."""
    if shape == "recorded":
        calls = "".join(
            f"def f{i}(x):\n    return f{i - 1}(x) + f{i - 1}(-x)\n\n" for i in range(1, 60)
        )
        last = "f59(x)"
    else:
        every = " + ".join(f"f{i}(x)" for i in range(1, 15))
        calls = "".join(f"def f{i}(x):\n    return f0(x) + {every}\n\n" for i in range(1, 15))
        last = "f14(x)"
    text = f"def f0(x):\n    return tf.square(x * w)\n\n{calls}"
    text += "w = tf.Variable(2.0)\noptimizer = tf.keras.optimizers.SGD()\n"
    text += "for x in tf.data.Dataset.range(99):\n    with tf.GradientTape() as tape:\n"
    text += f"        loss = tf.reduce_mean(tf.square({last}))\n    gradients = tape.gradient(loss, [w])\n"
    text += "    optimizer.apply_gradients(zip(gradients, [w]))\n    print(float(loss))\n"
    found = linted(text)
    assert found.crashed == ()
    assert "TXL102" in {finding.code for finding in found.findings}


def test_the_names_that_a_file_imports_are_gone_through_once(tmp_path: Path) -> None:
    """Each was held against all others, by who looked for the modules that they may be."""
    names = ", ".join(f"name{i}" for i in range(20_000))
    (tmp_path / "a.py").write_text(f"import tensorflow as tf\nfrom elsewhere import {names}\n")
    layout = Layout(["a.py"], {"a.py": scan((tmp_path / "a.py").read_bytes())})
    assert layout.find("elsewhere", "a.py") is None
    assert layout.find("elsewhere.name7", "a.py") is None
    assert len(layout._members["a.py"]["elsewhere"]) == 20_000


def test_a_chain_of_2000_functions_is_linted() -> None:
    assert linted(chain(2_000), {"TXL405"}).crashed == ()


def test_what_lies_behind_too_many_calls_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [f.code for f in linted(chain(30), {"TXL301"}).findings] == ["TXL301"]
    monkeypatch.setattr(contexts, "LONGEST_ROUTE", 20)
    assert linted(chain(15), {"TXL301"}).findings
    assert not linted(chain(30), {"TXL301"}).findings


def test_many_findings_on_one_line() -> None:
    """A line that no author wrote is not laid out anew for each of its fixes."""
    result = linted("; ".join(["print(tf.to_float(1))"] * 300) + "\n")
    assert len(result.findings) == 300
    assert {f.fix.edits[0].text for f in result.findings if f.fix} == {"tf.compat.v1.to_float"}


def choosing(tests: int) -> str:
    """A step that a loop runs, below so many tests."""
    test = " and ".join(["a > 1"] * tests)
    return (
        f"def f(a):\n    if {test}:\n        return tf.ones(a)\n\nfor i in range(9999):\n    f(i)\n"
    )


def test_what_is_nested_deeply_is_linted() -> None:
    result = linted(choosing(980))
    assert (result.crashed, result.has_syntax_error) == ((), False)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (choosing(2_000), "its code is nested more than 1000 levels deep"),
        (f"x = [{'1, ' * 500_000}]\n", "it has more than 100000 lines and values"),
    ],
    ids=["tests", "values"],
)
def test_what_is_too_much_is_said_at_once(text: str, message: str) -> None:
    result = linted(text)
    assert [(f.code, f.message) for f in result.findings] == [
        ("TXL001", f"the file is not analysed: {message}")
    ]
    assert result.crashed == ()
