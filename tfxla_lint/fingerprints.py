"""What tells one finding from another, whatever line it stands on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tfxla_lint.digests import digest
from tfxla_lint.findings import Finding
from tfxla_lint.outline import Outline, Statement
from tfxla_lint.source import Source


class Fingerprint(NamedTuple):
    """A rule, a path with forward slashes, the function around, and the statement."""

    path: str
    rule: str
    scope: str
    statement: str


class Outlines:
    """The outlines of sources, each made when it is first asked for."""

    def __init__(self, sources: Mapping[str, Source]) -> None:
        self._sources = sources
        self._known: dict[str, Outline] = {}

    def statement(self, finding: Finding) -> Statement:
        """The statement that a finding stands on."""
        source = self._sources.get(finding.path)
        if source is None:
            return Statement(finding.span.line, finding.span.line, "", "")
        if finding.path not in self._known:
            self._known[finding.path] = Outline(source)
        return self._known[finding.path].at(finding.span.line)

    def fingerprint(self, finding: Finding, path: str | None = None) -> Fingerprint:
        """The finding's fingerprint, in which its file is called `path` if that is given."""
        statement = self.statement(finding)
        name = (path if path is not None else finding.path).replace("\\", "/")
        return Fingerprint(name, finding.code, statement.scope, statement.text)


def digests(findings: Sequence[Finding], sources: Mapping[str, Source]) -> list[str]:
    """A name for each finding that no other has, and that it keeps when its lines move."""
    outlines = Outlines(sources)
    seen: Counter[Fingerprint] = Counter()
    names = []
    for finding in findings:
        key = outlines.fingerprint(finding)
        if finding.count > 1:
            key = Fingerprint(key.path, key.rule, "", "")
        seen[key] += 1
        names.append(digest("\0".join((*key, str(seen[key]))).encode("utf-8", "surrogatepass")))
    return names
