"""The comparison sees every kind of difference, and only real ones."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from tools.programs.client import Node, Snapshot

from .compare import SINGLE_CALL, Comparison
from .moved import moved_names


def tensor(value: Any, dtype: str = "float32") -> Node:
    return ("tensor", dtype, np.asarray(value, dtype=dtype))


def python(value: Any) -> Node:
    return ("python", type(value).__name__, value)


def listed(*nodes: Node) -> Node:
    return ("branch", "list", [(f"[{i}]", node) for i, node in enumerate(nodes)])


def snapshot(stdout: str = "", stderr: str = "", error: Any = None, **nodes: Node) -> Snapshot:
    return Snapshot(("branch", "module", list(nodes.items())), stdout, stderr, error)


def differences(a: Node, b: Node, **options: Any) -> list[str]:
    return Comparison(**options).differences(snapshot(x=a), snapshot(x=b))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        pytest.param(tensor([1.0, 2.0]), tensor([1.0, 2.00001]), id="within float32 tolerance"),
        pytest.param(tensor([1e-9, 100.0]), tensor([3e-7, 100.0]), id="noise beside a large one"),
        pytest.param(tensor([math.nan, 1.0]), tensor([math.nan, 1.0]), id="NaN equals NaN"),
        pytest.param(tensor([math.inf]), tensor([math.inf]), id="infinity"),
        pytest.param(tensor([], "float32"), tensor([], "float32"), id="empty"),
        pytest.param(python(math.nan), python(math.nan), id="Python NaN"),
        pytest.param(python(0.43121), python(0.431211), id="Python floats"),
        pytest.param(
            listed(python(2.0), python(1e-7)),
            listed(python(2.0), python(3e-7)),
            id="small loss in a history of large ones",
        ),
        pytest.param(("callable", "function", None), ("callable", "Function", None), id="wrapped"),
        pytest.param(tensor([b"a"], "O"), tensor([b"a"], "O"), id="strings"),
    ],
)
def test_equal(a: Node, b: Node) -> None:
    assert differences(a, b) == []


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        pytest.param(
            listed(python(0.5), python(0.4312)),
            listed(python(0.5), python(0.4410)),
            "x[1]: 0.4312 against 0.441",
            id="a loss",
        ),
        pytest.param(
            tensor([[1.0, 2.0]]),
            tensor([[1.0, 2.5]]),
            "x[0, 1]: 2 against 2.5 (1 of 2 elements)",
            id="an element",
        ),
        pytest.param(
            tensor([1]), tensor([1], "int32"), "x: dtype float32 against int32", id="dtype"
        ),
        pytest.param(tensor([1.0]), tensor(1.0), "x: shape (1,) against ()", id="shape"),
        pytest.param(
            tensor([math.nan]), tensor([0.0]), "x[0]: nan against 0", id="NaN against number"
        ),
        pytest.param(
            tensor([math.inf]), tensor([-math.inf]), "x[0]: inf against -inf", id="infinities"
        ),
        pytest.param(
            tensor(2**53, "int64"),
            tensor(2**53 + 1, "int64"),
            "x: np.int64(9007199254740992) against np.int64(9007199254740993)",
            id="large integers are exact",
        ),
        pytest.param(python(1), python(1.0), "x: int 1 against float 1.0", id="Python types"),
        pytest.param(python(1), python(True), "x: int 1 against bool True", id="bool is no int"),
        pytest.param(
            python(1.5), tensor(1.5), "x: float 1.5 against tensor float32 1.5", id="kind"
        ),
        pytest.param(
            tensor(1.5),
            ("variable", "float32", np.float32(1.5)),
            "x: tensor float32 1.5 against variable float32 1.5",
            id="variable against tensor",
        ),
        pytest.param(
            listed(python(1)), listed(python(1), python(2)), "x: length 1 against 2", id="length"
        ),
        pytest.param(
            listed(python(1)),
            ("branch", "tuple", [("[0]", python(1))]),
            "x: list against tuple",
            id="container type",
        ),
        pytest.param(
            ("branch", "dict", [("['a']", python(1))]),
            ("branch", "dict", [("['b']", python(1))]),
            "x['a']: int 1 is missing from the second",
            id="key",
        ),
        pytest.param(
            tensor(1.0),
            ("opaque", "SymbolicTensor", None),
            "x: tensor float32 1 against opaque SymbolicTensor",
            id="leaked symbolic tensor",
        ),
        pytest.param(
            tensor([b"a"], "O"), tensor([b"b"], "O"), "x[0]: b'a' against b'b'", id="strings"
        ),
    ],
)
def test_different(a: Node, b: Node, message: str) -> None:
    assert differences(a, b)[0] == message


def test_float64_is_held_to_its_own_precision() -> None:
    a, b = tensor(1.0, "float64"), tensor(1.0 + 1e-9, "float64")
    assert differences(a, b) == ["x: 1 against 1"]
    assert differences(("numpy", *a[1:]), ("numpy", *b[1:])) == []


def test_a_single_call_is_held_tighter() -> None:
    a, b = tensor(1.0), tensor(1.00005)
    assert differences(a, b) == []
    assert differences(a, b, tolerances=SINGLE_CALL) == ["x: 1 against 1.00004995"]


def test_loose_types_let_a_tensor_stand_for_a_number() -> None:
    assert differences(python(1.5), tensor(1.5), loose_types=True) == []
    assert differences(python(3), tensor(3, "int32"), loose_types=True) == []
    assert differences(python(1.5), tensor(1.6), loose_types=True) != []


def test_names_that_one_side_lacks() -> None:
    function: Node = ("callable", "function", None)
    before, after = snapshot(x=python(1), loss=tensor(1.0)), snapshot(x=python(1), step=function)
    assert Comparison().differences(before, after) == [
        "loss: tensor float32 1 is missing from the second"
    ]
    assert Comparison(moved={"loss"}).differences(before, after) == []
    assert Comparison(moved={"loss"}).differences(after, before) == [
        "loss: tensor float32 1 is missing from the first"
    ]


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("loss 0.4312", "loss 0.4313", True),
        ("loss 0.4312", "loss 0.4410", False),
        ("step 3", "step 4", False),
        ("step 3", "step 3.0", False),
        ("acc: 1.e-05", "acc: 2.e-05", False),
        ("[ 0.5  10.25]", "[0.5 10.25]", True),
        ("tf.Tensor(1.5, shape=(), dtype=float32)", 'Tensor("x:0", shape=())', False),
        ("5.", "6.", False),
        ("conv2d", "conv3d", False),
        ("nan", "0.0", False),
    ],
)
def test_printed_text(a: str, b: str, same: bool) -> None:
    found = Comparison().differences(snapshot(stdout=a), snapshot(stdout=b))
    assert (found == []) is same


def test_printed_lines_keep_order_and_stream() -> None:
    compare = Comparison()
    assert compare.differences(snapshot("a\nb"), snapshot("b\na")) == [
        "stdout line 1: 'a' against 'b'"
    ]
    assert compare.differences(snapshot("a\nb"), snapshot("a")) == [
        "stdout: 2 lines against 1, the second lacks 'b'"
    ]
    assert compare.differences(snapshot("a"), snapshot("", "a")) != []
    noise = "W0000 00:00:17 port.cc:153] oneDNN\n"
    assert compare.differences(snapshot(stderr="a"), snapshot(stderr=noise + "a")) == []


def test_progress_bars_are_left_out() -> None:
    bar = "a\n\r\x1b[1m1/2\x1b[0m \x1b[32m━━\x1b[0m 31ms/step\x08\x08\r2/2 ━━ 1s 2ms/step\nb 2/3"
    assert Comparison().differences(snapshot(bar), snapshot("a\nb 2/3")) == []


def test_merged_output_ignores_order_and_stream() -> None:
    compare = Comparison(merged_output=True)
    assert compare.differences(snapshot("a\nb 1.25"), snapshot("b 1.25", "a")) == []
    assert compare.differences(snapshot("a\na"), snapshot("a")) == ["output: the second lacks 'a'"]
    assert compare.differences(snapshot("a"), snapshot("a\nb")) == ["output: the first lacks 'b'"]


def test_exceptions() -> None:
    fails, other = ("ValueError", "first text"), ("TypeError", "text")
    compare = Comparison()
    assert compare.differences(snapshot(error=fails), snapshot(error=("ValueError", "x"))) == []
    assert compare.differences(snapshot(error=fails), snapshot()) == [
        "exception: ValueError: first text against no error"
    ]
    assert compare.differences(snapshot(error=fails), snapshot(error=other)) != []


def test_moved_names() -> None:
    before = "for x in d:\n    g = f(x)\n    loss, n = g, 1\nlost = 1\n"
    after = "def step(x):\n    g = f(x)\n    return g\nfor x in d:\n    loss = step(x)\n    n = 1\n"
    assert moved_names(before, after) == {"g"}
