"""What holds for every rule: its name, where it stands, and that its page is whole and true."""

from __future__ import annotations

import re

import pytest

from tfxla_lint.registry import RuleInfo
from tfxla_lint.rule import FAMILIES
from tfxla_lint.source import Source

from .cases import CATALOGUE, RULES, RUN_ONLY, findings_in

SECTIONS = ("What it does", "Why is this bad?", "Example", "References")
ORDER = (*SECTIONS[:3], "Use instead", "Fix safety", "References")

all_rules = pytest.mark.parametrize("rule", CATALOGUE.rules, ids=lambda rule: rule.code)


def sections(rule: RuleInfo) -> dict[str, str]:
    """The text below each heading of a rule's page."""
    parts = re.split(r"^## (.+)$", rule.page, flags=re.MULTILINE)
    return {title.strip(): text for title, text in zip(parts[1::2], parts[2::2], strict=True)}


def code_blocks(text: str) -> list[str]:
    """The Python code in a section."""
    return re.findall(r"^```python\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)


def fires(rule: RuleInfo, code: str) -> bool:
    """Whether the rule says anything of some code."""
    return bool(findings_in(rule, Source("example.py", code)))


def test_codes_and_names_are_unique() -> None:
    assert len({rule.code for rule in CATALOGUE.rules}) == len(CATALOGUE.rules)
    assert len({rule.name for rule in CATALOGUE.rules}) == len(CATALOGUE.rules)
    assert len(RULES) == len(CATALOGUE.rules)


@all_rules
def test_rule_stands_where_its_code_and_name_say(rule: RuleInfo) -> None:
    assert re.fullmatch(r"TXL\d{3}", rule.code)
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", rule.name)
    assert rule.family == FAMILIES[rule.code[3]]
    family, name = rule.module.removesuffix(".rule").split(".")[-2:]
    assert (family, name) == (rule.family, rule.name.replace("-", "_"))


@all_rules
def test_a_rule_speaks_for_rules_that_exist(rule: RuleInfo) -> None:
    weaker = {*rule.speaks_for, *rule.speaks_at_node_for}
    assert weaker <= CATALOGUE.codes - {rule.code}


@all_rules
def test_summary_is_one_short_line(rule: RuleInfo) -> None:
    assert "\n" not in rule.summary
    assert rule.summary == rule.summary.strip().rstrip(".")
    assert 0 < len(rule.summary) <= 100


@all_rules
def test_page_has_its_sections_in_order(rule: RuleInfo) -> None:
    found = list(sections(rule))
    wanted = set(SECTIONS) | ({"Use instead", "Fix safety"} if rule.fixes else set())
    assert wanted <= set(found)
    assert [title for title in ORDER if title in found] == [t for t in found if t in ORDER]
    assert "Fix safety" not in found or rule.fixes
    assert all(text.strip() for text in sections(rule).values())


@all_rules
def test_references_link_somewhere(rule: RuleInfo) -> None:
    assert re.search(r"\(https://[^)]+\)", sections(rule)["References"])


@all_rules
def test_example_fires(rule: RuleInfo) -> None:
    blocks = code_blocks(sections(rule)["Example"])
    assert blocks
    assert rule.code in RUN_ONLY or all(fires(rule, block) for block in blocks)


@all_rules
def test_what_to_use_instead_does_not_fire(rule: RuleInfo) -> None:
    text = sections(rule).get("Use instead")
    blocks = code_blocks(text) if text is not None else []
    assert blocks or text is None
    assert not any(fires(rule, block) for block in blocks)
