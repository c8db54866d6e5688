"""What IPython reads of a cell and Python does not: told apart, put aside, put back."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tfxla_lint.notebooks.magics import mask
from tfxla_lint.notebooks.versions import told_version


def masked(text: str) -> str:
    found = mask(text, "m")
    assert found is not None
    ast.parse(found.text)
    assert found.text.count("\n") == text.count("\n")
    assert found.unmask(found.text) == text
    return found.text


@pytest.mark.parametrize(
    ("line", "stand_in"),
    [
        ("%matplotlib inline", "pass"),
        ("!pip install tensorflow", "pass"),
        ("!!ls", "pass"),
        ("tf.function?", "pass"),
        ("tf.data.Dataset.map??", "pass"),
        ("layers[0].call?", "pass"),
        ("?tf.function", "pass"),
        ("*int*?", "pass"),
        (",f a b", "pass"),
        ("pip install tensorflow", "pass"),
        ("mkdir a b/c", "pass"),
        ("files = !ls", "files = get_ipython()"),
        ("a, b = %env HOME", "a, b = get_ipython()"),
        ("self.x = !ls", "self.x = get_ipython()"),
        ("%time x = f(1)", "x = f(1)"),
        ("%time", "pass"),
        ("%timeit -n 1 f(x.y)", "lambda: (f, n, x,)"),
        ("!echo $name {a.b + 1} ${c}", "lambda: (a, c, name,)"),
        ("%run other.py", "from other import *"),
        ("%run ./other.ipynb", "from other import *"),
        ("%run some/where.py", "pass"),
        ("%pylab inline", "from pylab import *"),
        ("%%nothing here", "pass"),
    ],
)
def test_lines(line: str, stand_in: str) -> None:
    assert masked(f"a = 1\n{line}") == f"a = 1\n{stand_in}  # m 1."
    indented = "pass" if stand_in.startswith("from") else stand_in
    assert masked(f"if a:\n    {line}") == f"if a:\n    {indented}  # m 1."


@pytest.mark.parametrize(
    "text",
    [
        "x = (7\n% 3)",
        "x = 7 \\\n% 3",
        '"""\n%time f()\n!ls\n"""',
        "x = [\n    # why?\n    1,\n]",
        "x = 'a?'",
        "cat = 1\nls -cat",
        "x = 1  # !ls",
        "await f()\nasync for x in y:\n    pass",
        "plt.show();",
    ],
)
def test_what_is_python(text: str) -> None:
    assert masked(text) == text
    assert masked(f"!ls\n{text}") == f"pass  # m 1.\n{text}"


def test_a_backslash_in_a_comment_ties_nothing() -> None:
    assert "%matplotlib" not in masked("a = 1  # so \\\n%matplotlib inline").split("#")[1]


def test_a_backslash_ties_lines_together() -> None:
    assert masked("!pip install \\\n    a \\\n  b\nx = 1") == (
        "pass  # m 1.\n# m 2.\n# m 3.\nx = 1"
    )


@pytest.mark.parametrize("name", ["time", "timeit -n 1", "capture out", "prun", "tfxla --fix"])
def test_cell_magics_that_run_python(name: str) -> None:
    assert masked(f"\n# why\n%%{name}\nx = 1").endswith("x = 1")


@pytest.mark.parametrize("name", ["bash", "writefile a.py", "html", "javascript", "sql x", "!"])
def test_cell_magics_that_do_not(name: str) -> None:
    assert mask(f"# why\n%%{name}\nx = 1", "m") is None


def test_carriage_returns() -> None:
    found = mask("!ls\r\nx = 1\r\n%time f()\r\n", "m")
    assert found is not None
    assert found.text == "pass  # m 1.\r\nx = 1\r\nf()  # m 2.\r\n"
    assert found.unmask("y = 0\r\n" + found.text) == "y = 0\r\n!ls\r\nx = 1\r\n%time f()\r\n"


def test_what_was_put_aside_must_stay() -> None:
    found = mask("x = 1\n%time f()", "m")
    assert found is not None
    assert found.unmask(f"y = 1\n{found.text}  # noqa") == "y = 1\nx = 1\n%time f()  # noqa"
    with pytest.raises(ValueError, match="%time f"):
        found.unmask(found.text.replace("f()", "g()"))


LINES = st.lists(
    st.sampled_from(
        ["!ls", "%time f(x)", "x = !ls", "a?", "x = (", "% 3)", '"""', "'''", "# '", "if a:",
         "    !ls \\", "    pass", "x = 'it\\'s'", "", "pip install x", "%%time", "x = 1 \\", "y]"]
    ),
    max_size=8,
)  # fmt: skip


@given(LINES, st.sampled_from(["\n", "\r\n"]))
def test_any_lines_come_back(lines: list[str], newline: str) -> None:
    text = newline.join(lines)
    found = mask(text, "m")
    assert found is not None or not lines or not set(lines) <= {"!ls", "%time f(x)", "x = !ls"}
    if found is not None:
        assert found.unmask(found.text) == text
        assert found.unmask("new\n" + found.text) == "new\n" + text


@pytest.mark.parametrize(
    ("code", "version"),
    [
        ("%conda install tensorflow=2.4.1", (2, 4)),
        ("!conda install -y -c conda-forge 'tensorflow-gpu>=2.3'", (2, 3)),
        ("!pip install tensorflow==2.6 keras==2.4.3", (2, 6)),
        ("!pip install keras==2.4.3", (2, 4)),
        ("!pip install tensorflow==2.4", (2, 4)),
        ("%pip install -q 'tensorflow-gpu>=2.3,<2.6'", (2, 3)),
        ('!pip3 install "tensorflow-cpu[and-cuda]~=2.9.1" numpy', (2, 9)),
        ("!python -m pip install --upgrade tensorflow==2.0.0-beta1", (2, 0)),
        ("!{sys.executable} -m pip install tensorflow==2.6", (2, 6)),
        ("%%bash\npip install tensorflow==2.8.0", (2, 8)),
        ("%tensorflow_version 1.x", (1, 15)),
        ("%tensorflow_version 2.x", None),
        ("%tensorflow_version 2." + "9" * 5_000, None),
        ("!pip install tensorflow", None),
        ("!pip install tensorflow-datasets==4.0", None),
        ("# !pip install tensorflow==2.4", None),
        ("print('pip install tensorflow==2.4')", None),
    ],
)
def test_versions(code: str, version: tuple[int, int] | None) -> None:
    assert told_version([code, "x = 1"]) == version
