"""Where the project and its pages are."""

from __future__ import annotations

from tfxla_lint.findings import OWN_PREFIX

HOME = "https://github.com/tfxla-lint/tfxla-lint"
SITE = "https://tfxla-lint.github.io/tfxla-lint"


def page_of(code: str) -> str:
    """Where the page of a rule is; nothing is known of a plug-in's."""
    return f"{SITE}/rules/{code}/" if code.startswith(OWN_PREFIX) else ""
