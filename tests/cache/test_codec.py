"""Plain data as JSON and back."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tfxla_lint.cache.codec import decode, encode
from tfxla_lint.findings import Finding
from tfxla_lint.project.projects import Known
from tfxla_lint.project.scan import Scan
from tfxla_lint.registry import RuleInfo, read_catalogue
from tfxla_lint.work import LintOptions

st.register_type_strategy(float, st.floats(allow_nan=False))
FINDINGS = st.builds(Finding)
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(FINDINGS)
def test_findings_come_back_as_they_were(finding: Finding) -> None:
    assert decode(Finding, json.loads(json.dumps(encode(finding)))) == finding


@pytest.mark.parametrize(
    "value",
    [
        Known((("a.py", "12", Scan(("os", ".x"), True, 3)),), ((("a.py", "b.py"), ("a.py",)),)),
        *read_catalogue().rules[:3],
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_else_is_kept_comes_back_as_it_was(value: object) -> None:
    assert decode(type(value), json.loads(json.dumps(encode(value)))) == value


@given(st.sampled_from([Finding, Known, RuleInfo, tuple[str | None, str], bool]), ANYTHING)
def test_anything_else_is_refused_or_of_the_type(hint: Any, data: Any) -> None:
    try:
        value = decode(hint, data)
    except (ValueError, TypeError):
        return
    assert json.loads(json.dumps(encode(value))) == data


@pytest.mark.parametrize("value", [b"bytes", 1.5j, object(), {"a": {1: [{b""}]}}])
def test_what_is_no_plain_data_is_not_kept(value: object) -> None:
    with pytest.raises(TypeError):
        encode(value)


def test_sets_have_one_form() -> None:
    codes = [f"TXL{number}" for number in range(100, 140)]
    options = LintOptions(frozenset(codes), frozenset(reversed(codes)))
    assert encode(options)[:2] == [codes, codes]
