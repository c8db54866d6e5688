"""Lines that a fix makes too long are broken in one way, by the length of the file's own."""

from __future__ import annotations

import ast
import io
import tokenize

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tfxla_lint.findings import Edit
from tfxla_lint.rewriting import wrapping
from tfxla_lint.rewriting.wrapping import line_limit, wrapped
from tfxla_lint.source import Source, apply_edits


def replaced(text: str, old: str, new: str, indent: str = "    ") -> str:
    """`text` with `new` in the place of `old`, and what is broken for it."""
    start = text.index(old)
    edit = Edit(start, start + len(old), new)
    return apply_edits(text, wrapped(Source("x.py", text), [edit], indent))


def test_a_short_file_does_not_show_how_long_its_lines_may_be() -> None:
    assert line_limit("x = 1\n") == 88
    assert line_limit(120 * "x = 1\n") == 79


def test_a_file_with_longer_lines_may_have_more_of_them() -> None:
    assert line_limit(f"x = {'1' * 100}\n") == 104


def test_one_line_in_a_hundred_is_not_the_measure() -> None:
    assert line_limit(f"x = {'1' * 100}\n" + 120 * "x = 1\n") == 79


LONG = "step(first_argument_of_it, second_argument_of_it, third=tf.constant(value, tf.float32))"


def test_what_a_bracket_holds_gets_a_line() -> None:
    assert replaced("loss = old\n", "old", LONG) == (
        "loss = step(\n"
        "    first_argument_of_it, second_argument_of_it, third=tf.constant(value, tf.float32)\n"
        ")\n"
    )


def test_arguments_that_fit_on_no_line_get_one_each() -> None:
    arguments = [f"argument_number_{n}_of_the_call" for n in range(4)]
    text = replaced("loss = old\n", "old", f"step({', '.join(arguments)})")
    lines = "".join(f"    {argument},\n" for argument in arguments)
    assert text == f"loss = step(\n{lines})\n"


def test_a_line_inside_a_bracket_is_broken_behind_its_commas() -> None:
    new = "tf.constant(the_first_of_the_arrays, tf.float32), tf.constant(other_array, tf.float32)"
    assert replaced("loss = step(\n    x, old)\n", "old", new) == (
        "loss = step(\n"
        "    x,\n"
        "    tf.constant(the_first_of_the_arrays, tf.float32),\n"
        "    tf.constant(other_array, tf.float32))\n"
    )


def test_a_comprehension_is_broken_before_its_for() -> None:
    new = (
        "[output.numpy() for output in some_model_with_a_name(state_of_the_world, training=False)]"
    )
    assert replaced("loss = [\n    old\n]\n", "old", new[1:-1]) == (
        "loss = [\n"
        "    output.numpy()\n"
        "    for output in some_model_with_a_name(state_of_the_world, training=False)\n"
        "]\n"
    )


def test_what_an_open_bracket_begins_with_gets_a_line() -> None:
    new = f"some.{'x' * 60}(first=ones_like(some_argument),"
    assert replaced("loss = old\n    second)\n", "old", new) == (
        f"loss = some.{'x' * 60}(\n    first=ones_like(some_argument),\n    second)\n"
    )


def test_parameters_of_a_lambda_stay_together() -> None:
    new = f"lambda first, second: first + second + {'x' * 60}(first, second)"
    assert replaced("f(\n    old\n)\n", "old", new).count(",\n") == 0


def test_line_endings_are_those_of_the_file() -> None:
    text = replaced("x = 1\r\nloss = old\r\n", "old", LONG)
    assert text.count("\r\n") == text.count("\n") == 4


def test_what_was_as_long_before_is_left_alone() -> None:
    line = f"loss = old({'x' * 100}, y)\n"
    text = 200 * "x = 1\n" + line
    assert replaced(text, "old", "new") == text.replace("old", "new")


def test_lines_that_only_move_are_left_alone() -> None:
    line = f"step({'x' * 100}, y)"
    text = 200 * "x = 1\n" + f"{line}\nold\n"
    assert replaced(text, "old", f"if x:\n    {line}").endswith(f"\nif x:\n    {line}\n")


@pytest.mark.parametrize(
    "new",
    [
        '"' + 100 * "x" + '"',
        f"'''\nf({50 * 'x'}, {50 * 'y'})\n'''",
        f'f"{{step({50 * "x"}, {50 * "y"})}}"',
        100 * "x",
    ],
)
def test_a_line_without_a_place_to_break_it_stays(new: str) -> None:
    assert replaced("x = 1\ny = old\n", "old", new) == f"x = 1\ny = {new}\n"


def test_a_comment_counts_for_nothing() -> None:
    text = f"loss = old  # {'why ' * 30}\n" + 200 * "x = 1\n"
    assert replaced(text, "old", "step(x, y)") == text.replace("old", "step(x, y)")


names = st.sampled_from(["x", "a_longer_name", "the_name_that_is_longer_still", "tf.float32"])


def call(parts: list[str]) -> str:
    return f"step({', '.join(parts)})"


expressions = st.recursive(
    names,
    lambda inner: st.one_of(
        st.lists(inner, max_size=5).map(call),
        st.lists(inner, max_size=5).map(lambda parts: f"[{', '.join(parts)}]"),
        st.tuples(inner, inner).map(lambda pair: f"({pair[0]} + {pair[1]})"),
        st.tuples(inner, inner).map(lambda pair: f"[{pair[0]} for x in {pair[1]} if x]"),
        inner.map(lambda part: f"{call([part])}.numpy()[x]"),
        inner.map(lambda part: f"f'{{x}} {{x!r:>10}}' + {call([part])}"),
    ),
    max_leaves=20,
)


def words(text: str) -> list[str]:
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    blank = (tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
    return [token.string for token in tokens if token.type not in blank]


@given(
    new=expressions,
    text=st.sampled_from(["y = old\n", "if x:\n  for y in old:\n    pass\n", "g(x,\n  old, y)\n"]),
)
@settings(max_examples=300, deadline=None)
def test_only_blanks_and_last_commas_differ(new: str, text: str) -> None:
    plain, found = text.replace("old", new), replaced(text, "old", new, "  ")
    assert ast.dump(ast.parse(found)) == ast.dump(ast.parse(plain))
    assert [word for word in words(found) if word != ","] == [
        word for word in words(plain) if word != ","
    ]
    assert wrapped(Source("x.py", found), [], "  ") == []


def test_a_line_is_broken_by_the_statement_that_it_stands_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Statements above it are not looked at again, and say nothing else when they are."""
    above = "".join(f"def step_{n}(x):\n    '''no ( end'''\n    return x\n\n\n" for n in range(9))
    text = f"import a\n\n{above}@wrap\ndef last(x):\n    loss = old\n    return [\n        old\n    ]\n"
    starts = [place for place in range(len(text)) if text.startswith("old", place)]
    edits = [
        Edit(0, 0, "import os\n"),
        Edit(text.index("def step_3"), text.index("def step_4"), ""),
    ]
    edits += [Edit(start, start + 3, LONG) for start in starts]
    begun: list[int] = []
    find = wrapping._start_of_part

    def noted(*given: object) -> int:
        begun.append(find(*given))  # type: ignore[arg-type]
        return begun[-1]

    monkeypatch.setattr(wrapping, "_start_of_part", noted)
    source = Source("x.py", text)
    found = wrapped(source, edits, "    ")
    new = apply_edits(text, found)
    assert ast.dump(ast.parse(new)) == ast.dump(ast.parse(apply_edits(text, edits)))
    assert max(map(len, new.splitlines())) <= 88
    assert set(begun) == {apply_edits(text, edits).index("def last")}
    monkeypatch.setattr(wrapping, "_start_of_part", lambda *given: 0)
    assert wrapped(source, edits, "    ") == found
