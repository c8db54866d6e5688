"""The gallery shows what the fixes do now."""

from __future__ import annotations

import pytest

from tfxla_lint.findings import Applicability
from tfxla_lint.registry import read_catalogue
from tools.write_gallery import GALLERY, pages

PAGES = pages(read_catalogue())


@pytest.mark.parametrize("name", PAGES)
def test_page_is_up_to_date(name: str) -> None:
    """`python -m tools.write_gallery` writes them anew."""
    assert (GALLERY / name).read_text("utf-8") == PAGES[name]


def test_no_page_is_left_over() -> None:
    assert {path.name for path in GALLERY.glob("*.md")} == set(PAGES)


def test_every_rule_whose_fixes_are_applied_has_a_page() -> None:
    rules = (r for r in read_catalogue().rules if set(r.fixes) - {Applicability.DISPLAY})
    assert not {f"{rule.code}.md" for rule in rules} - set(PAGES)
