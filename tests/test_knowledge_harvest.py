"""The parts of the harvester that need no TensorFlow."""

from __future__ import annotations

from typing import Any

import pytest

from tools.harvest import (
    behaviour_table,
    compilelog,
    deprecations,
    keywords,
    randomness,
    signatures,
    variants,
    verdict_table,
)

VERSIONS = [(2, 12), (2, 15), (2, 16), (2, 21)]


def test_an_entry_that_is_the_same_everywhere_is_bare() -> None:
    assert variants.pack(dict.fromkeys(VERSIONS, "f x"), VERSIONS) == "f x"


def test_an_entry_is_packed_by_ranges() -> None:
    values = {(2, 12): "a", (2, 15): "b", (2, 16): "a", (2, 21): "a"}
    assert variants.pack(values, VERSIONS) == {"2.12,2.16-2.21": "a", "2.15": "b"}


def test_an_entry_of_some_versions_keeps_its_range() -> None:
    assert variants.pack({(2, 12): "a", (2, 15): "a"}, VERSIONS) == {"2.12-2.15": "a"}


class Base:
    def __init__(self, *, name: str = "", **kwargs: Any) -> None:
        self.shape = kwargs.pop("input_shape", None)
        if kwargs:
            raise ValueError(f"unknown: {kwargs}")


class Layer(Base):
    def __init__(self, units: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)


def swallows(a: int, **kwargs: Any) -> int:
    return a


def keeps(**kwargs: Any) -> Any:
    return kwargs


def checks(**kwargs: Any) -> None:
    allowed = {"alpha", "beta"}
    for key in kwargs:
        if key not in allowed:
            raise TypeError(key)


def keeps_names(**kwargs: Any) -> None:
    given = list(kwargs.keys())
    if given and given[0] != "alpha":
        raise TypeError(given)


def leaves_out(**kwargs: Any) -> None:
    unknown = set(kwargs) - {"alpha", "beta"}
    if unknown:
        raise TypeError(unknown)


def forwards(x: int, **kwargs: Any) -> None:
    checks(**kwargs)


def test_keywords_are_followed_to_the_base_class() -> None:
    assert keywords.known(Layer.__init__, Layer) == {"name", "input_shape"}


def test_a_mapping_that_nobody_reads_has_no_keywords() -> None:
    assert keywords.known(swallows) == set()


def test_what_a_check_leaves_out_is_taken() -> None:
    assert keywords.known(leaves_out) == {"alpha", "beta"}


def test_a_mapping_that_escapes_is_open() -> None:
    assert keywords.known(keeps) is None
    assert keywords.known(keeps_names) is None


def test_a_checked_mapping_has_the_allowed_keywords() -> None:
    assert keywords.known(checks) == {"alpha", "beta"}
    assert keywords.known(forwards) == {"alpha", "beta"}


def test_parameter_lines() -> None:
    assert signatures.describe(forwards) == "x **kwargs(alpha,beta)"
    line = signatures.describe(Layer.__init__, owner=Layer, skip_first=True)
    assert line == "units **kwargs(input_shape,name)"


def test_deprecation_notes() -> None:
    doc = """Does a thing. (deprecated)

Deprecated: THIS FUNCTION IS DEPRECATED. It will be removed in a future version.
Instructions for updating:
Use `tf.data.Dataset.load(...)` instead."""
    assert deprecations.read(doc)["use"] == "data.Dataset.load"


def test_deprecated_arguments() -> None:
    doc = """Deprecated: SOME ARGUMENTS ARE DEPRECATED: `(experimental_compile)`. They will go.
Instructions for updating:
experimental_compile is deprecated, use jit_compile instead"""
    assert deprecations.read(doc)["arguments"] == {"experimental_compile": "jit_compile"}


def test_neighbours_are_advised_without_dots() -> None:
    assert deprecations.named_replacement("Use ref() instead.") == "ref"


def test_signatures_of_clusters() -> None:
    text = (
        "__inference_f_9[_XlaMustCompile=true,config_proto=1,executor_type=2],float [4];"
        " Tensor<type: int32 shape: [2] values: 2 2>"
    )
    assert compilelog.parse(text) == [False, True]


def test_random_ops() -> None:
    assert randomness.is_random("StatelessRandomUniformV2")
    assert not randomness.keeps_state("StatelessRandomUniformV2")
    assert randomness.keeps_state("RandomStandardNormal")
    assert not randomness.is_random("StatefulPartitionedCall")
    assert not randomness.is_random("MatMul")


def case(**fields: Any) -> dict[str, Any]:
    return {"source": "recipe", "kind": "dense", "status": "compiles", "ops": ["Mul"], **fields}


def classified(*cases: dict[str, Any], **more: Any) -> dict[str, Any]:
    found = verdict_table.classify("f", {"cases": list(cases), "base": 0, **more})
    assert found is not None
    return found


def test_an_unsupported_case() -> None:
    found = classified(case(status="unsupported", unsupported=["Lu"]))
    assert found == {"status": "unsupported", "ops": "Lu"}


def test_an_option_that_explains_a_failure_becomes_a_mode() -> None:
    bad = case(status="unsupported", unsupported=["Lu"], literals={"method": "'x'"})
    found = classified(case(), bad)
    assert found["status"] == "compiles"
    assert found["modes"] == [{"when": {"method": "'x'"}, "status": "unsupported", "ops": "Lu"}]


def test_contradictions_have_no_verdict() -> None:
    bad = case(status="unsupported", unsupported=["Lu"])
    record = {"cases": [case(), bad], "base": 0}
    assert verdict_table.classify("f", record) is None


def test_other_kinds_of_tensors_are_modes() -> None:
    text = case(kind="string", status="unsupported", unsupported=["_Arg"])
    assert classified(case(), text)["modes"][0]["when"] == {"<kind>": "string"}


def test_the_gravest_fact_is_the_status() -> None:
    assert classified(case(constants={"n": ["Fill.dims"]}))["status"] == "recompiles"
    assert classified(case(checks=["Assert"], constants={"n": []}))["status"] == "checks-dropped"
    found = classified(case(ops=["RandomUniform"], differs="other values", random=True))
    assert (found["status"], found["random"]) == ("differs", 1)
    assert classified(case(dynamic=True))["status"] == "dynamic-shape"


def test_failures_to_trace_by_guessed_arguments_say_nothing() -> None:
    bad = case(source="synthesis", status="untraceable", reason="TypeError: x")
    assert verdict_table.classify("f", {"cases": [bad], "base": 0}) is None


def test_hazards_alone_make_no_other_verdict() -> None:
    """They are found with random numbers, so two runs may tell different ones."""
    old: dict[str, Any] = {"status": "compiles", "hazards": {"nan": "x"}}
    new: dict[str, Any] = {"status": "compiles"}
    assert verdict_table.without_noise({(2, 15): old, (2, 21): new}) == {(2, 15): new, (2, 21): new}
    other: dict[str, Any] = {"status": "recompiles", "const": {"axis": "Max.axis"}}
    known = {(2, 15): other, (2, 21): new}
    assert verdict_table.without_noise(known) == known


def test_integers_from_a_generator_are_the_same_under_xla() -> None:
    case = {"stateful": True, "ops": ["RngReadAndSkip", "StatelessRandomUniformFullIntV2"]}
    assert verdict_table.difference_of("random.Generator.make_seeds", case) == ""
    case["ops"] = ["RngReadAndSkip", "StatelessRandomNormalV2"]
    assert verdict_table.difference_of("random.Generator.normal", case)


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ({"name": "abs", "result": "tensor", "same_shape": True, "same_dtype": True}, []),
        ({"name": "abs", "result": "list"}, ["tensorflow.abs: gives a list, not a tensor"]),
        (
            {"name": "abs", "result": "tensor", "same_shape": False},
            ["tensorflow.abs: does not keep the shape"],
        ),
        (
            {"name": "linalg.svd", "result": "tuple", "count": 2},
            ["tensorflow.linalg.svd: gives 2 members"],
        ),
        (
            {"name": "math.is_nan", "result": "tensor", "dtype": "int32"},
            ["tensorflow.math.is_nan: gives int32"],
        ),
        (
            {"name": "matmul", "result": "host"},
            ["tensorflow.matmul: gives no tensor, and is taken for an operation"],
        ),
        ({"name": "matmul", "failed": "no call ran"}, []),
    ],
)
def test_the_table_of_behaviour_is_held_against_calls(
    record: dict[str, Any], said: list[str]
) -> None:
    assert list(behaviour_table.disagreements([record])) == said
