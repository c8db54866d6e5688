"""What the formats for people share: the first line of a finding, and the summary."""

from __future__ import annotations

import os
import re
import unicodedata

from tfxla_lint.findings import Applicability, Finding, InCell, Span
from tfxla_lint.links import page_of
from tfxla_lint.reporters.style import Style
from tfxla_lint.results import RunResult

#: What the logs of GitHub and Azure obey wherever it stands in a line; the first sign goes.
COMMAND = re.compile(r"#(?=#\w*\[)")


def visible(text: str) -> str:
    """`text` in one line, without what a terminal or a log would obey.

    File names and code may hold escape sequences, and line ends behind which a log command stands.
    """
    if "##" in text:
        text = COMMAND.sub(lambda match: _escaped(match[0]), text)
    if text.isprintable():
        return text
    return "".join(char if is_harmless(char) else _escaped(char) for char in text)


def is_harmless(char: str) -> bool:
    """Whether a character only shows itself; those that are none (U+FFFE, U+FFFF) do not."""
    is_none = ord(char) & 0xFFFE == 0xFFFE
    return not is_none and unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Zl", "Zp")


def _escaped(char: str) -> str:
    code = ord(char)
    return f"\\x{code:02x}" if char.isprintable() else char.encode("unicode_escape").decode("ascii")


def harmless_start(place: str) -> str:
    """A place at the start of a line, where a log would take one that begins so for a command."""
    return visible(f"./{place}" if place.lstrip().startswith("::") else place)


def harmless_line(text: str) -> str:
    """A line that is `visible`, and no command to a log even where blanks stand before it."""
    start = len(text) - len(text.lstrip())
    if text.startswith("::", start):
        text = f"{text[:start]}{_escaped(':')}{text[start + 1 :]}"
    return visible(text)


def in_slashes(path: str) -> str:
    """A path as other tools read it; where names may hold a backslash, that stays."""
    return path.replace(os.sep, "/")


def file_of(path: str, cell: InCell | None) -> str:
    """A path, with the cell where it is that of a notebook."""
    return f"{path}:cell {cell.index}" if cell is not None else path


def place_of(path: str, span: Span) -> str:
    """`path:line:column`; in a notebook `path:cell 3:line:column`."""
    return f"{file_of(path, span.cell)}:{span.shown_line}:{span.column}"


def lines_of(message: str) -> str:
    """A message with its further lines indented, none of which a terminal or a log obeys."""
    first, *rest = message.split("\n")
    return "\n  ".join([visible(first), *map(harmless_line, rest)])


def headline(finding: Finding, result: RunResult, style: Style) -> str:
    """`path:line:column: level code name: message`; `[*]` marks what the same options can fix."""
    place = harmless_start(f"{place_of(finding.path, finding.span)}:")
    rule = f"{finding.level.value} {finding.code}"
    linked = f"{finding.level.value} {style.link(page_of(finding.code), finding.code)}"
    painted = f"{style.bold(place)} {style.level(finding.level, linked)} {finding.name}:"
    mark = "[*] " if is_fixable(finding, result) else ""
    text = f"{mark}{lines_of(finding.message)}"
    return style.wrapped(painted, f"{place} {rule} {finding.name}:", text)


def is_fixable(finding: Finding, result: RunResult) -> bool:
    """Whether `--fix`, with the options of this run, would apply the finding's fix."""
    if finding.fix is None or result.is_fixing:
        return False
    if finding.fix.applicability is Applicability.UNSAFE:
        return result.unsafe_fixes
    return finding.fix.applicability is Applicability.SAFE


def summary(result: RunResult) -> str:
    """What was found, what was fixed, what can be fixed and with which option."""
    remaining = len(result.findings)
    fixed = result.applied.total()
    if remaining + fixed == 0:
        cells = f" ({counted(result.cells, 'cell')})" if result.cells else ""
        return f"No findings in {counted(len(result.files), 'file')}{cells}."
    counts = ""
    if fixed or result.is_fixing:
        counts = f" ({fixed} fixed, {remaining} remaining)"
    parts = [f"Found {counted(remaining + fixed, 'finding')}{counts}."]
    hidden = remaining - len(result.listed)
    if hidden:
        parts.append(f"{hidden} more with -v.")
    blocked = sum(len(file.blocked) for file in result.files)
    if blocked:
        parts.append(f"{counted(blocked, 'fix')} held back.")
    fixable = _fixable(result)
    return " ".join([*parts, *([fixable] if fixable else [])])


def _fixable(result: RunResult) -> str:
    safe = result.count_fixable(Applicability.SAFE)
    unsafe = result.count_fixable(Applicability.UNSAFE)
    both = "--fix --unsafe-fixes"
    if result.is_fixing:
        if not unsafe or result.unsafe_fixes:
            return ""
        proving = "" if result.is_verified else ", or with --fix --verify where a run proves it"
        return f"{unsafe} more with {both}{proving}."
    if result.unsafe_fixes:
        return f"{safe + unsafe} fixable with {both}." if safe + unsafe else ""
    if safe and unsafe:
        return f"{safe} fixable with --fix, {unsafe} more with {both}."
    if safe:
        return f"{safe} fixable with --fix."
    return f"{unsafe} fixable with {both}." if unsafe else ""


def counted(number: int, noun: str) -> str:
    """A number with its noun, in the plural where there is not one."""
    plural = noun + ("es" if noun.endswith("x") else "s")
    return f"{number} {noun if number == 1 else plural}"
