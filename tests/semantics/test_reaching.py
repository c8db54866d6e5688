"""Which binding a read of a name surely sees."""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst
import pytest

from tfxla_lint.semantics.flow.unpacking import taken
from tfxla_lint.semantics.model import SemanticModel

Build = Callable[[str], SemanticModel]


def seen(model: SemanticModel, name: str = "x") -> str | None:
    """The code that the read `use(x)` sees bound to the name; "parameter" and "for" for such."""
    call = next(c for c in model.nodes(cst.Call) if model.code(c.func) == "use")
    given = call.args[0].value
    assert isinstance(given, cst.Name)
    binding = model.flow.reached(given).only
    if binding is None:
        return None
    if binding.value is not None:
        return model.code(binding.value)
    return binding.kind.value


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("use(x)", "parameter"),
        ("x = 1\nx = 2\nuse(x)", "2"),
        ("x = 1; x = 2; use(x)", "2"),
        ("x = 1\nif c:\n    pass\nuse(x)", "1"),
        ("x = 1\nif c:\n    x = 2\nuse(x)", None),
        ("x = 1\nif c:\n    x = 2\n    use(x)", "2"),
        ("x = 1\nwith c:\n    x = 2\nuse(x)", "2"),
        ("x = 1\nfor i in c:\n    use(x)", "1"),
        ("x = 1\nfor i in c:\n    use(x)\n    x = 2", None),
        ("x = 1\nfor i in c:\n    x = 2\n    use(x)", "2"),
        ("for x in c:\n    use(x)", "for target"),
        ("for x in c:\n    use(x)\n    x = 1", "for target"),
        ("x = 1\nwhile use(x):\n    x = 2", None),
        ("x = 1\ntry:\n    x = 2\nexcept E:\n    use(x)", None),
        ("x = 1\nx += 2\nuse(x)", "augmented assignment"),
        ("x = 1\nx = use(x)", "1"),
        ("del x\nuse(x)", None),
    ],
)
def test_local_names(build: Build, body: str, expected: str | None) -> None:
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    assert seen(build(f"def f(x, c):\n{lines}")) == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("x = 1\ndef f():\n    use(x)\n", "1"),
        ("x = 1\nx = 2\ndef f():\n    use(x)\n", "2"),
        ("x = 1\ndef f():\n    use(x)\nf()\nx = 2\n", "1"),
        ("x = 1\ndef f():\n    use(x)\nf()\nx = 2\nf()\n", None),
        ("x = 1\ndef f():\n    use(x)\nfor i in c:\n    f()\n    x = 2\n", None),
        ("x = 1\ndef f():\n    use(x)\nkeep(f)\nx = 2\n", None),
        ("x = 1\ndef f():\n    use(x)\ndef g():\n    f()\ng()\nx = 2\n", "1"),
        ("x = 1\ndef f():\n    use(x)\ndef g():\n    global x\n    x = 3\nf()\n", None),
    ],
)
def test_outer_names_as_the_calls_see_them(build: Build, code: str, expected: str | None) -> None:
    assert seen(build(code)) == expected


def test_targets_of_comprehensions(build: Build) -> None:
    assert seen(build("def f(c):\n    [use(x) for x in c]\n")) == "for target"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("x = value", ("value", ())),
        ("a, x = value", ("value", (1,))),
        ("a, (b, x) = value", ("value", (1, 1))),
        ("a, *b, x = value", ("value", (None,))),
        ("a, *x = value", ("value", ())),
        ("for a, x in value: pass", ("value", (None, 1))),
        ("with value as x: pass", None),
    ],
)
def test_what_a_binding_takes(
    build: Build, code: str, expected: tuple[str, tuple[int | None, ...]] | None
) -> None:
    model = build(code + "\n")
    binding = model.binder.module_scope.bindings["x"][0]
    found = taken(model.binder, binding)
    assert (found and (model.code(found.node), found.path)) == expected
