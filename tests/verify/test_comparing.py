"""The worker's comparison, on plain nodes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pytest

from tfxla_lint.verify.worker.texts import output_differences, same_text

if TYPE_CHECKING:
    from tfxla_lint.verify.worker.comparing import Comparison, Difference

np = pytest.importorskip("numpy")


def tensor(value: Any, dtype: str = "float32") -> Any:
    return ("tensor", dtype, np.asarray(value, dtype))


def variable(value: Any) -> Any:
    return ("variable", "float32", np.asarray(value, "float32"))


def comparing(**options: Any) -> Comparison:
    # It imports TensorFlow, which collecting does without.
    from tfxla_lint.verify.worker.comparing import Comparison

    return Comparison(**options)


def compare(a: Any, b: Any, strict: bool = True, **options: Any) -> list[Difference]:
    return comparing(**options).compare("x", a, b, strict)


@pytest.mark.parametrize(
    ("a", "b", "kind"),
    [
        (tensor([1.0, 2.0]), tensor([1.0, 2.0 + 1e-6]), None),
        (tensor([1.0, 2.0]), tensor([1.0, 2.001]), "value"),
        (tensor([1.0]), tensor([1.0], "float64"), "dtype"),
        (tensor([1.0]), tensor([[1.0]]), "shape"),
        (tensor([math.nan]), tensor([math.nan]), None),
        (tensor([math.nan]), tensor([1.0]), "value"),
        (tensor([math.inf]), tensor([math.inf]), None),
        (tensor([math.inf]), tensor([-math.inf]), "value"),
        (tensor([1], "int32"), tensor([2], "int32"), "value"),
        (tensor(1.0), ("python", "float", 1.0), "type"),
        (("python", "str", "a"), ("python", "str", "b"), "value"),
        (("python", "NoneType", None), tensor(1.0), "type"),
        (tensor(1.0), ("opaque", "symbolic tensor", None), "leak"),
        (("branch", "list", []), ("branch", "list", [("[0]", tensor(1.0))]), "structure"),
        (("branch", "tuple", []), ("branch", "list", []), "type"),
    ],
)
def test_results(a: Any, b: Any, kind: str | None) -> None:
    assert [d.kind for d in compare(a, b)] == ([kind] if kind else [])


def test_state_may_turn_into_variables() -> None:
    assert compare(("python", "int", 3), variable(3.0), strict=False) == []
    assert len(compare(("python", "int", 3), variable(4.0), strict=False)) == 1


def test_names_that_are_gone_are_not_missed() -> None:
    old = ("branch", "module", [("x", tensor(1.0)), ("y", tensor(1.0))])
    new = ("branch", "module", [("y", tensor(1.0)), ("z", tensor(1.0))])
    assert [d.kind for d in compare(old, new, strict=False)] == ["missing"]
    assert compare(old, new, strict=False, gone={"x"}) == []


def test_updates_are_compared_however_small() -> None:
    start, moved = variable([1.0, 1.0]), variable([1.0 - 2e-5, 1.0 + 2e-5])
    comparison = comparing(factor=10.0)
    assert comparison.compare("w", start, moved, strict=False) == []
    assert len(comparison.updates(start, start, moved)) == 1
    assert comparison.updates(start, moved, moved) == []


def test_printed_numbers() -> None:
    assert same_text("loss 0.1234", "loss 0.1235")
    assert not same_text("loss 0.1234", "loss 0.2234")
    assert not same_text("step 3", "step 4")
    assert not same_text("loss 0.1", "cost 0.1")


def test_lines_may_move_to_the_other_stream() -> None:
    assert output_differences(("loss 1.5\n", ""), ("", "loss 1.5\n")) == []
    assert output_differences(("a\nb\n", ""), ("b\na\n", "")) != []
    assert output_differences(("a\n", ""), ("a\na\n", "")) != []
    assert (
        output_differences(("tf.Tensor(1.5, shape=(), dtype=float32)\n", ""), ("", "1.5\n")) == []
    )


@pytest.mark.parametrize(
    ("dtype", "share", "kinds"),
    [("float64", 3e-9, []), ("float64", 5e-8, ["value"]), ("float32", 2e-5, [])],
)
def test_iterations_in_float64_may_differ_far_below_float32(
    dtype: str, share: float, kinds: list[str]
) -> None:
    from tfxla_lint.verify.worker.comparing import TRAINED

    value = np.array([0.2341557], dtype)
    a, b = (("tensor", dtype, v) for v in (value, value * np.array(1.0 + share, dtype)))
    found = comparing(factor=TRAINED).compare("x", a, b, strict=False)
    assert [difference.kind for difference in found] == kinds
    if dtype == "float64":
        # What one call computes keeps to the rounding of a sum.
        assert comparing().compare("x", a, b, strict=False)


def test_a_list_in_state_may_have_become_the_array_of_it() -> None:
    rows = ("branch", "list", [(f"[{i}]", tensor([i, 2.0])) for i in range(3)])
    array = ("numpy", "float32", np.array([[0, 2.0], [1, 2.0], [2, 2.0]], "float32"))
    assert not compare(rows, array, strict=False)
    assert [d.kind for d in compare(rows, array)] == ["type"]
    assert [d.kind for d in compare(rows, tensor([[0, 2.0], [1, 2.0], [2, 3.0]]), strict=False)]


def test_an_array_of_nothing_has_no_shape() -> None:
    from tfxla_lint.verify.worker.comparing import Comparison

    def node(array: Any) -> tuple[str, str, Any]:
        return ("numpy", array.dtype.name, array)

    nothing, rows = node(np.array([])), node(np.zeros((0, 4), np.float32))
    assert Comparison().compare("", nothing, rows, strict=True) == []
    assert Comparison().compare("", nothing, node(np.zeros((1, 4))), strict=True) != []


def test_what_cancels_out_keeps_the_error_of_what_was_given() -> None:
    from tfxla_lint.verify.worker.comparing import magnitude

    nothing, rounded = tensor([0.0, 0.0]), tensor([0.0, 8e-9])
    comparison = comparing()
    assert comparison.compare("x", nothing, rounded, strict=True)
    arguments = ("branch", "tuple", [("[0]", tensor([1.5, -2.0, math.inf])), ("[1]", tensor(3))])
    comparison.given = magnitude(arguments)
    assert comparison.given == 3.0
    assert not comparison.compare("x", nothing, rounded, strict=True)
    assert not comparison.compare("x", rounded, nothing, strict=True)
    assert comparison.compare("x", nothing, tensor([0.0, 1e-4]), strict=True)
    assert comparison.compare("x", tensor([1e-8, 0.0]), tensor([2e-8, 1e-9]), strict=True)
