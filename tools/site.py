"""Adds to the site what is made of the code: a page for each rule, and pages of the repository.

MkDocs calls the hooks in here; `mkdocs build --strict` builds the site, `mkdocs serve` shows it.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:
    # MkDocs loads this file by its path.
    sys.path.insert(0, str(ROOT))

from tfxla_lint.links import HOME  # noqa: E402
from tfxla_lint.registry import Catalogue, RuleInfo, read_catalogue  # noqa: E402
from tools import write_gallery  # noqa: E402

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

FAMILIES = {
    "tool": "The tool's own work",
    "eager": "Eager: tensor work that runs op by op",
    "retracing": "Retracing: functions that are traced again and again",
    "tracing": "Tracing: code that breaks or freezes under `tf.function`",
    "xla": "XLA: what it cannot compile, compiles again or computes differently",
    "api": "API: names and arguments that the targeted TensorFlow does not have",
    "input": "Input: pipelines that keep the model waiting",
}
#: Files of the repository that are pages of the site, with their names there.
TAKEN = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}

#: A link, or code, in which there is none.
_LINK = re.compile(r"`[^`]*`|\]\((?!https?:|#)(?P<path>[^)#\s]+)(?P<anchor>#[^)\s]*)?\)")


def rule_pages() -> dict[str, str]:
    """The pages of the rules, by their paths in the site, and the list of them."""
    catalogue = read_catalogue()
    gallery = write_gallery.pages(catalogue)
    pages = {
        f"rules/{rule.code}.md": _page(rule, gallery.get(f"{rule.code}.md", ""))
        for rule in catalogue.rules
    }
    return {"rules/index.md": _index(catalogue), **pages}


def _index(catalogue: Catalogue) -> str:
    lines = [
        "# Rules",
        "",
        "Each rule has a page: what it finds, why that is bad, what to write in its place, when its fix",
        "is safe, and code before and after it, which the project's tests run on TensorFlow. In a",
        "terminal `tfxla-lint rule CODE` shows most of that.",
        "",
    ]
    for family, title in FAMILIES.items():
        rows = [rule for rule in catalogue.rules if rule.family == family]
        lines += [
            f"## {title}",
            "",
            "| rule | what it finds | level | fixes |",
            "|---|---|---|---|",
        ]
        lines += [
            f"| [{rule.code} {rule.name}]({rule.code}.md) | {rule.summary} | {rule.level.value}"
            f" | {_fixes(rule)} |"
            for rule in rows
        ]
        lines.append("")
    return "\n".join(lines)


def _fixes(rule: RuleInfo) -> str:
    return ", ".join(kind.value for kind in rule.fixes) or "none"


def _page(rule: RuleInfo, gallery: str) -> str:
    opt_in = (
        "" if rule.default else f" It is off by default: `--extend-select {rule.code}` turns it on."
    )
    quiet = " It is silent in test files." if rule.quiet_in_tests else ""
    facts = [
        f"# {rule.code} {rule.name}",
        "",
        f"{rule.summary.rstrip('.')}.",
        "",
        "| family | level | fixes | silence it |",
        "|---|---|---|---|",
        f"| {rule.family} | {rule.level.value} | {_fixes(rule)} | `# noqa: {rule.code}` |",
        "",
        f"{opt_in}{quiet}".strip(),
        "",
        rule.page.strip(),
        "",
        f"[Source]({HOME}/blob/main/{_source(rule)}) ·"
        f" [Issues that name it]({HOME}/issues?q={rule.code})",
        "",
    ]
    shown = gallery.partition("\n## ")[2]
    if shown:
        cases = "## " + shown.replace("\n## ", "\n### ")
        facts += ["## Before and after", "", cases.replace("## ", "### ", 1), ""]
    return "\n".join(facts)


def _source(rule: RuleInfo) -> str:
    return rule.module.removeprefix("tfxla_lint.").replace(".", "/") + ".py"


def taken_pages() -> Iterator[tuple[str, str]]:
    """The files of the repository that are pages, with links that hold there."""
    for name, page in TAKEN.items():
        text = (ROOT / name).read_text("utf-8")
        yield page, _LINK.sub(_as_seen_from_docs, text)


def _as_seen_from_docs(match: re.Match[str]) -> str:
    path, anchor = match["path"], match["anchor"] or ""
    if path is None:
        return match[0]
    if path in TAKEN:
        return f"]({TAKEN[path]}{anchor})"
    if path.startswith("docs/"):
        return f"]({path.removeprefix('docs/')}{anchor})"
    return f"]({HOME}/blob/main/{path}{anchor})"


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are made."""
    from mkdocs.structure.files import File

    for path, text in (*rule_pages().items(), *taken_pages()):
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, page: object, config: MkDocsConfig, files: Files) -> str:
    """Let links to files of the repository lead to it."""
    return re.sub(r"\]\(\.\./(?=[A-Za-z])", f"]({HOME}/blob/main/", markdown)
