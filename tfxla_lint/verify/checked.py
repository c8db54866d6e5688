"""What running fixes against the original gave."""

from __future__ import annotations

from dataclasses import dataclass

from tfxla_lint.findings import Finding
from tfxla_lint.verify.verdicts import Verdict


@dataclass(frozen=True)
class Checked:
    """A verdict on each function or block that fixes rewrite.

    The fixes of `findings` make `after` of the text `before`; `refused` says why they must not
    stand, where that is so.
    """

    findings: tuple[Finding, ...]
    verdicts: tuple[Verdict, ...]
    before: str
    after: str
    refused: str = ""
