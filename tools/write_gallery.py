"""Writes the gallery of fixes: for each rule with a fix, code before and after it.

The code is that of the test data, which is executed on TensorFlow; what a fix assumes is what the
tool says of it there. A page opens with the case that is most like the example on the rule's own
page.

python -m tools.write_gallery [FOLDER]
"""

from __future__ import annotations

import argparse
import itertools
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from tfxla_lint.findings import Applicability, Finding, Intent
from tfxla_lint.linter import Linter
from tfxla_lint.registry import TOOL_FAMILY, Catalogue, RuleInfo, read_catalogue
from tfxla_lint.source import Source
from tfxla_lint.work import LintOptions

ROOT = Path(__file__).parents[1]
TESTDATA = ROOT / "testdata"
GALLERY = ROOT / "docs" / "gallery"

_WORD = re.compile(r"[A-Za-z_]\w*")
#: Pairs on one page; longer test files are left to the test data.
_PAIRS = 4
_LONGEST = 70
_HOW = {
    Applicability.SAFE: "safe: `--fix` applies it",
    Applicability.UNSAFE: "unsafe: `--fix --unsafe-fixes` applies it",
    Applicability.DISPLAY: "shown only: it is never applied",
}
_WHY = {
    Intent.PRESERVING: "keeps what the code computes",
    Intent.CORRECTING: "makes the code do what it was meant to do",
}


def pages(catalogue: Catalogue) -> dict[str, str]:
    """The text of each page by its file name, the index included."""
    found = {
        f"{rule.code}.md": page for rule in catalogue.rules if (page := _page(catalogue, rule))
    }
    rows = [rule for rule in catalogue.rules if f"{rule.code}.md" in found]
    found["README.md"] = _index(rows)
    return found


def _index(rules: list[RuleInfo]) -> str:
    lines = [
        "# The gallery of fixes",
        "",
        "What each fix makes of code. The examples are test data of the project: before and after are",
        "both executed on TensorFlow and compared. `tfxla-lint rule CODE` says when a fix is safe.",
        "",
        "| rule | what it finds |",
        "|---|---|",
        *(f"| [{rule.code} {rule.name}]({rule.code}.md) | {rule.summary} |" for rule in rules),
        "",
    ]
    return "\n".join(lines)


def _page(catalogue: Catalogue, rule: RuleInfo) -> str:
    """The page of a rule; empty where no pair of files shows a fix of it."""
    shown = list(itertools.islice(_pairs(catalogue, rule), _PAIRS))
    if not shown:
        return ""
    head = f"# {rule.code} {rule.name}\n\n{rule.summary}.\n"
    return "\n".join([head, *shown])


def _pairs(catalogue: Catalogue, rule: RuleInfo) -> Iterator[str]:
    for before in _cases(rule):
        after = before.with_name(before.name.replace("_bad.py", "_fixed.py"))
        if not after.exists():
            continue
        source, fixed = Source.read(before), Source.read(after)
        if max(source.text.count("\n"), fixed.text.count("\n")) > _LONGEST:
            continue
        findings = [f for f in _findings(catalogue, rule, source) if f.fix is not None]
        if findings:
            yield _pair(before.name.removesuffix("_bad.py"), source.text, fixed.text, findings)


def _cases(rule: RuleInfo) -> list[Path]:
    """The bad files of a rule, those first that share most words with the example on its page."""
    section = rule.page.partition("## Example\n")[2].partition("\n## ")[0]
    expected = _words("\n".join(re.findall(r"^```python\n(.*?)^```$", section, re.M | re.S)))

    def rank(path: Path) -> tuple[float, int, str]:
        text = path.read_text("utf-8")
        words = _words(text)
        shared = len(words & expected) / len(words | expected)
        return -shared, text.count("\n"), path.name

    folder = TESTDATA / rule.family / rule.name.replace("-", "_")
    return sorted(folder.glob("*_bad.py"), key=rank)


def _words(code: str) -> set[str]:
    """The words of some code without those of its comments."""
    return {word for line in code.splitlines() for word in _WORD.findall(line.partition("#")[0])}


def _findings(catalogue: Catalogue, rule: RuleInfo, source: Source) -> list[Finding]:
    is_own = rule.family == TOOL_FAMILY
    enabled = catalogue.defaults if is_own else frozenset({rule.code})
    linter = Linter(catalogue, LintOptions(enabled, frozenset({rule.code})))
    return [f for f in linter.lint(source).findings if f.code == rule.code]


def _pair(name: str, before: str, after: str, findings: list[Finding]) -> str:
    said = dict.fromkeys(line for finding in findings for line in _said(finding))
    lines = [
        f"## {name.replace('_', ' ').capitalize()}",
        "",
        *said,
        "",
        "Before:",
        "",
        f"```python\n{before.rstrip()}\n```",
        "",
        "After:",
        "",
        f"```python\n{after.rstrip()}\n```",
        "",
    ]
    return "\n".join(lines)


def _said(finding: Finding) -> Iterator[str]:
    fix = finding.fix
    if fix is None:
        return
    yield f"- {fix.title} ({_HOW[fix.applicability]}; it {_WHY[fix.intent]})"
    if fix.assumption:
        yield f"  - {fix.assumption}"


def write(folder: Path) -> int:
    """Write the pages into a folder, remove those of rules that have none any more; their number."""
    folder.mkdir(parents=True, exist_ok=True)
    written = pages(read_catalogue())
    for old in folder.glob("TXL*.md"):
        if old.name not in written:
            old.unlink()
    for name, text in written.items():
        (folder / name).write_text(text, encoding="utf-8")
    return len(written)


def main() -> int:
    parser = argparse.ArgumentParser(description="Write each fix before and after, a page a rule.")
    parser.add_argument("folder", nargs="?", type=Path, default=GALLERY, metavar="FOLDER")
    folder = parser.parse_args().folder
    print(f"{write(folder)} pages, to be read from {folder / 'README.md'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
