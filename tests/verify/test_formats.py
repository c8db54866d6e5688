"""Values that are formatted are marked where they stand; lines and what is printed stay."""

from __future__ import annotations

import ast

import pytest

from tfxla_lint.verify.formats import templates_of, with_values_marked

FORMATS = {
    "percent": ('print("%.1f %d" % (a, b))', ["a", "b"]),
    "one": ('print("%.2f" % a)', ["a"]),
    "format": ('print("{:.3f} {x:.1f}".format(a, x=b))', ["a", "b"]),
    "f-string": ('print(f"é {a:.2f} {b}")', ["a"]),
    "nested f-string": ("print(f\"{f'{a:.1f}':>5}\")", ["a"]),
    "round": ("print(round(a, 2))", ["a"]),
    "logger": ('log.info("loss %.2f of %s", a, b)', ["a", "b"]),
    "over lines": ('print("%s %.3f" % (a, (b +\n    b)))', ["a", "b + b"]),
    "umlauts before": ('print("äöü", "%.1f" % a)', ["a"]),
    "whole numbers": ('print("%d %s" % (a, b), f"{a}", round(b))', []),
}


@pytest.mark.parametrize(("text", "values"), FORMATS.values(), ids=FORMATS)
def test_formatted_values_are_marked(text: str, values: list[str]) -> None:
    module = ast.parse(text)
    marked = with_values_marked(text, module)
    calls = [n for n in ast.walk(ast.parse(marked)) if isinstance(n, ast.Call)]
    found = [ast.unparse(c.args[1]) for c in calls if ast.unparse(c.func) == "__txl_shown__"]
    assert sorted(found) == sorted(values)
    assert marked.count("\n") == text.count("\n")
    assert bool(templates_of(module)) is bool(values)


def test_marked_code_prints_the_same() -> None:
    text = 'out = "%.1f|%d" % (2.25, 3) + f"{1 / 3:.2f}{2!r:>4}" + "{:.1e}".format(12.0)'
    plain: dict[str, object] = {}
    marked: dict[str, object] = {"__txl_shown__": lambda template, value: value}
    exec(text, plain)
    exec(with_values_marked(text, ast.parse(text)), marked)
    assert plain["out"] == marked["out"]
