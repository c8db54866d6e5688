"""The fixer with small made-up rules: patterns and what to put in their place."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from tfxla_lint.findings import Applicability, Edit, Finding, Fix, Level, NewName
from tfxla_lint.fixer import Blocked, FixOutcome, fix_text
from tfxla_lint.fixing.checks import Lint
from tfxla_lint.fixing.collisions import collide
from tfxla_lint.linter import Crash, LintResult, syntax_error
from tfxla_lint.source import Source

New = str | Callable[[re.Match[str], str], list[Edit]]


@dataclass
class Pattern:
    """Finds a pattern and replaces it, or makes the edits that a function gives for a match."""

    code: str
    pattern: str
    new: New | None
    applicability: Applicability = Applicability.SAFE
    level: Level = Level.WARNING

    def findings(self, source: Source) -> Iterator[Finding]:
        for match in re.finditer(self.pattern, source.text, re.MULTILINE):
            fix = None
            if self.new is not None:
                fix = Fix("fix", tuple(self._edits(match, source.text)), self.applicability)
            span = source.span(*match.span())
            yield Finding(self.code, "rule", self.level, "message", source.path, span, fix=fix)

    def _edits(self, match: re.Match[str], text: str) -> list[Edit]:
        if callable(self.new):
            return self.new(match, text)
        return [Edit(match.start(), match.end(), match.expand(self.new or ""))]


def linting(*patterns: Pattern) -> Lint:
    def lint(source: Source) -> LintResult:
        error = syntax_error(source)
        if error is not None:
            return LintResult((error,), has_syntax_error=True)
        found = [finding for pattern in patterns for finding in pattern.findings(source)]
        return LintResult(tuple(sorted(found, key=lambda finding: finding.sort_key)))

    return lint


def fix(text: str, *patterns: Pattern, unsafe: bool = False) -> FixOutcome:
    """The outcome, after making sure that a second run changes nothing."""
    lint = linting(*patterns)
    source = Source("x.py", text)
    outcome = fix_text(source, lint, unsafe=unsafe)
    assert outcome.remaining == lint(Source("x.py", outcome.text)).findings
    again = fix_text(Source("x.py", outcome.text), lint, unsafe=unsafe)
    assert again.text == outcome.text
    assert not again.applied
    assert again.blocked == outcome.blocked
    return outcome


A_TO_B = Pattern("A1", r"\ba\b", "b")
B_TO_C = Pattern("B1", r"\bb\b", "c")


def test_nothing_to_do() -> None:
    assert fix("x = 1\n", A_TO_B).text == "x = 1\n"


def test_passes_to_the_fixed_point() -> None:
    outcome = fix("a\nf(a, b)\n", A_TO_B, B_TO_C)
    assert outcome.text == "c\nf(c, c)\n"
    assert outcome.applied == Counter(A1=2, B1=3)
    assert not outcome.remaining
    assert not outcome.blocked


def test_applicability() -> None:
    unsafe = Pattern("A1", r"\ba\b", "b", Applicability.UNSAFE)
    display = Pattern("D1", r"\bd\b", "e", Applicability.DISPLAY)
    outcome = fix("a\nd\n", unsafe, display)
    assert outcome.text == "a\nd\n"
    assert not outcome.blocked
    outcome = fix("a\nd\n", unsafe, display, unsafe=True)
    assert outcome.text == "b\nd\n"
    assert outcome.applied == Counter(A1=1)
    assert [finding.code for finding in outcome.remaining] == ["D1"]


def test_fixable() -> None:
    lint = linting(A_TO_B, B_TO_C)
    outcome = fix_text(Source("x.py", "a\nb\n"), lint, unsafe=False, fixable=lambda c: c == "B1")
    assert outcome.text == "a\nc\n"


def test_overlapping_fixes_wait_for_the_next_pass() -> None:
    calls: list[str] = []
    outer = Pattern("A1", r"f\((.*)\)$", r"g(\1)")
    inner = Pattern("B1", r"\bh\b", "k")
    base = linting(outer, inner)

    def lint(source: Source) -> LintResult:
        calls.append(source.text)
        return base(source)

    outcome = fix_text(Source("x.py", "f(h)\nx = h\n"), lint, unsafe=False)
    assert outcome.text == "g(k)\nx = k\n"
    assert calls == ["f(h)\nx = h\n", "g(h)\nx = k\n", "g(k)\nx = k\n"]
    assert outcome.applied == Counter(A1=1, B1=2)


def test_touching_insertions_wait_for_the_next_pass() -> None:
    first = Pattern("A1", r"^(?<!b\n)(?<!a\n)x$", lambda m, t: [Edit(m.start(), m.start(), "a\n")])
    second = Pattern("B1", r"^(?<!b\n)x$", lambda m, t: [Edit(m.start(), m.start(), "b\n")])
    assert fix("x\n", first, second).text == "a\nb\nx\n"


def test_equal_edits_are_applied_once() -> None:
    def with_import(match: re.Match[str], text: str) -> list[Edit]:
        edits = [Edit(match.start(), match.end(), "m.g")]
        return edits if "import m" in text else [Edit(0, 0, "import m\n"), *edits]

    pattern = Pattern("A1", r"(?<!\.)\bf\b", with_import)
    outcome = fix("x = f\ny = f\n", pattern)
    assert outcome.text == "import m\nx = m.g\ny = m.g\n"
    assert outcome.applied == Counter(A1=2)


def test_one_fix_for_two_findings_counts_for_both() -> None:
    def both(match: re.Match[str], text: str) -> list[Edit]:
        return [Edit(text.index("p"), text.index("q") + 1, "r")]

    outcome = fix("f(p, q)\n", Pattern("A1", "[pq]", both))
    assert outcome.text == "f(r)\n"
    assert outcome.applied == Counter(A1=2)


# L0


def test_a_result_that_does_not_parse_is_blocked() -> None:
    bad = Pattern("X1", r"\bx\b", "x x")
    outcome = fix("a\nx\na\n", A_TO_B, bad)
    assert outcome.text == "b\nx\nb\n"
    assert outcome.applied == Counter(A1=2)
    assert outcome.blocked == (Blocked("X1", 2, "the result does not parse: invalid syntax"),)


def test_a_file_that_does_not_parse_is_left_alone() -> None:
    def lint(source: Source) -> LintResult:
        return LintResult(tuple(A_TO_B.findings(source)))

    outcome = fix_text(Source("x.py", "a a\n"), lint, unsafe=True)
    assert outcome.text == "a a\n"
    assert len(outcome.remaining) == 2


# L1


@pytest.mark.parametrize(
    ("text", "pattern", "new"),
    [
        pytest.param("a * b\n", "b", "c + d", id="precedence"),
        pytest.param("a * b\n", "b", "c * d", id="associativity"),
        pytest.param("x.y\n", "x", "-z", id="attribute"),
        pytest.param("x\ny\n", "x\n", "if x:\n  ", id="swallowed-statement"),
        pytest.param("x\ny\n'''z'''\n", "^y", "'''", id="swallowed-by-a-string"),
        pytest.param("if a:\n    b\n    c\n", "^    b", "    b\nif d:", id="moved-out-of-a-block"),
        pytest.param("f(a, b)\n", "a", "a)(", id="other-call"),
        pytest.param("x = a if b else c\n", "a", "a, d", id="tuple"),
        pytest.param("a < b\n", "b", "b < c", id="chained-comparison"),
        pytest.param("@a\ndef f(): pass\n", "def", "class g: pass\ndef", id="decorated-other"),
    ],
)  # fmt: skip
def test_changing_the_code_around_an_edit_is_blocked(text: str, pattern: str, new: str) -> None:
    outcome = fix(text, Pattern("X1", pattern, new))
    assert outcome.text == text
    assert not outcome.applied
    assert "the code around it" in outcome.blocked[0].reason or "parse" in outcome.blocked[0].reason


@pytest.mark.parametrize(
    ("text", "pattern", "new"),
    [
        ("a * b\n", "b", "(c + d)"),
        ("f(a)\n", r"(?<=a)(?=\))", ", z=1"),
        ("f(i for i in j)\n", r"i for i in j(?=\)$)", "(i for i in j), z=1"),
        ("f(a, z=1)\n", ", z=1", ""),
        ("f(zz=1)\n", "zz(?==)", "y"),
        ("a.zz.c\n", "zz", "y"),
        ("from zz.b import c\n", "zz.b", "y"),
        ("from a import zz, d\n", "zz", "y as e"),
        ("def zz(a, *, b=1): pass\n", "zz", "y"),
        ("def f(a, zz): pass\n", ", zz", ", *, y=1, x"),
        ("x = {1: zz, **a}\n", "1: zz", "**y"),
        ("x\nzz\ny\n", "zz\n", ""),
        ("if a:\n    zz\n", "zz", "pass"),
        ("class A:\n    zz = 1\n    def f(self): pass\n", "zz = 1", "@staticmethod\n    def y(): pass"),
        ("    \n@zz\ndef f(): pass\n", "zz", "y"),
        ("def f(): zz\n", "^(?=def f)(?<!y\n)", "@y\n"),
        ("x = f'{zz} {b!r:>{w}}'\n", "zz", "y"),
        ("zz = ä = f('ö')\n", "f.*zz|f(?=\\('ö)(?<!y)", "y"),
        ("with zz as b, c: pass\n", "zz", "y"),
        ("x = [i for i in zz if i]\n", "zz if i", "y"),
        ("try: pass\nexcept zz as e: pass\n", "zz", "y"),
        ("match x:\n    case zz: pass\n", "zz", "{'a': y, **z}"),
        ("lambda zz: 1\n", "zz", "y=2, *b"),
        ("del a, zz\n", ", zz", ""),
        ("global zz, b\n", "zz", "y"),
    ],
)  # fmt: skip
def test_changes_inside_of_an_edit_are_free(text: str, pattern: str, new: str) -> None:
    outcome = fix(
        text, Pattern("X1", f"(?<!@y\n){pattern}" if "def f" in pattern else pattern, new)
    )
    assert outcome.applied == Counter(X1=1), outcome.blocked


# L2


def test_a_lost_comment_is_blocked() -> None:
    pattern = Pattern("X1", r"x\(.*\n.*\)", "y()")
    outcome = fix("x(  # why\n)\na\n", pattern, A_TO_B)
    assert outcome.text == "x(  # why\n)\nb\n"
    assert outcome.blocked == (Blocked("X1", 1, "it would lose the comment `# why`"),)


def test_a_moved_comment_is_kept() -> None:
    pattern = Pattern("X1", r"x\(.*\n.*\)", "y()  # why")
    assert fix("x(  # why\n)\n", pattern).text == "y()  # why\n"


def test_of_two_equal_comments_none_is_lost() -> None:
    pattern = Pattern("X1", r"x\(.*\n.*\)", "y()")
    assert fix("x(  # c\n)\nz  # c\n", pattern).blocked


def test_the_comment_of_a_removed_statement_goes() -> None:
    outcome = fix("z\nx  # c\nif a:\n    x  # d\n", Pattern("X1", "^x.*\n", ""))
    assert outcome.text == "z\nif a:\n    x  # d\n"
    outcome = fix("if y:\n    x  # d\n", Pattern("X1", r"\bx.*", "pass"))
    assert outcome.text == "if y:\n    pass\n"


def test_other_comments_do_not_go_with_a_statement() -> None:
    assert fix("z\n# c\nx\n", Pattern("X1", "# c\nx\n", "")).blocked
    assert fix("z\nx(  # c\n)\n", Pattern("X1", "x.*\n.*\n", "")).blocked
    assert fix("z\nx  # c\n", Pattern("X1", "x  # c", "y")).blocked


def test_only_the_rule_for_suppressions_removes_them() -> None:
    text = "x = 1  # noqa: TXL101\n"
    assert fix(text, Pattern("TXL002", "  # noqa: TXL101", "")).text == "x = 1\n"
    assert fix(text, Pattern("X1", "  # noqa: TXL101", "")).blocked
    assert fix("x = 1  # why\n", Pattern("TXL002", "  # why", "")).blocked
    text = "x = 1  # noqa: E501, TXL101\n"
    assert fix(text, Pattern("TXL002", ", TXL101", "")).text == "x = 1  # noqa: E501\n"


# L3


def test_a_finding_that_stays_is_blocked() -> None:
    outcome = fix("x = 1\n", Pattern("X1", "^x", "x_", Applicability.SAFE))
    assert outcome.text == "x = 1\n"
    assert outcome.blocked == (Blocked("X1", 1, "the problem would still be there"),)


def test_a_finding_that_moves_with_its_fix_is_blocked() -> None:
    def moved(match: re.Match[str], text: str) -> list[Edit]:
        return [Edit(0, 0, "x\n"), Edit(match.start(), match.end() + 1, "")]

    outcome = fix("a\nx\n", Pattern("X1", "^x", moved))
    assert outcome.blocked[0].reason == "the problem would still be there"


def test_a_new_error_is_blocked() -> None:
    error = Pattern("E1", r"\bbad\b", None, level=Level.ERROR)
    outcome = fix("bad\nx\na\n", Pattern("X1", "^x", "bad"), A_TO_B, error)
    assert outcome.text == "bad\nx\nb\n"
    assert outcome.blocked == (Blocked("X1", 2, "it would bring E1 on: message"),)


def test_a_new_warning_is_reported() -> None:
    warning = Pattern("W1", r"\by\b", None)
    outcome = fix("x\n", Pattern("X1", "^x", "y"), warning)
    assert outcome.text == "y\n"
    assert [finding.code for finding in outcome.remaining] == ["W1"]


def test_an_error_that_only_moves_is_no_new_one() -> None:
    error = Pattern("E1", r"\bbad\b", None, level=Level.ERROR)
    assert fix("x\nbad\n", Pattern("X1", "^x", "y\nz"), error).text == "y\nz\nbad\n"
    assert fix("x(bad)\n", Pattern("X1", r"^x\((.*)\)", r"y(\1)"), error).text == "y(bad)\n"


def test_a_rule_that_fails_on_the_result_blocks_it() -> None:
    base = linting(A_TO_B)

    def lint(source: Source) -> LintResult:
        crashed = (Crash("Z1", "oops"),) if "b" in source.text else ()
        return LintResult(base(source).findings, crashed=crashed)

    outcome = fix_text(Source("x.py", "a\n"), lint, unsafe=False)
    assert outcome.blocked == (Blocked("A1", 1, "Z1 fails on the result"),)


# Conflicts


def test_fixes_that_fail_only_together() -> None:
    error = Pattern("E1", r"b\nd", None, level=Level.ERROR)
    outcome = fix("a\nc\n", A_TO_B, Pattern("C1", r"\bc\b", "d"), error)
    assert outcome.text == "b\nc\n"
    assert outcome.applied == Counter(A1=1)
    assert outcome.blocked == (Blocked("C1", 2, "it would bring E1 on: message"),)


def test_a_refused_fix_is_tried_again_when_the_rest_is_done() -> None:
    error = Pattern("E1", r"a\nd|b\nd", None, level=Level.ERROR)
    outcome = fix("a\nx\n", A_TO_B, B_TO_C, Pattern("X1", r"\bx\b", "d"), error)
    assert outcome.text == "c\nd\n"
    assert outcome.applied == Counter(A1=1, B1=1, X1=1)


def test_what_overlaps_a_refused_fix_has_its_chance() -> None:
    outer = Pattern("X1", r"f\(.*\)", "x x")
    outcome = fix("f(a)\n", outer, A_TO_B)
    assert outcome.text == "f(b)\n"
    assert outcome.applied == Counter(A1=1)
    assert [blocked.code for blocked in outcome.blocked] == ["X1"]


def test_the_bad_one_of_many_is_found() -> None:
    names = "".join(f"a{i}\n" for i in range(40))
    lints: list[str] = []
    base = linting(
        Pattern("A1", r"\ba(?!17\b)(\d+)", r"b\1"),
        Pattern("X1", r"\ba17\b", "x x"),
    )

    def lint(source: Source) -> LintResult:
        lints.append(source.text)
        return base(source)

    outcome = fix_text(Source("x.py", names), lint, unsafe=False)
    assert outcome.applied == Counter(A1=39)
    assert outcome.text == "".join("a17\n" if i == 17 else f"b{i}\n" for i in range(40))
    assert [blocked.line for blocked in outcome.blocked] == [18]
    assert len(lints) < 20


def test_oscillating_rules_leave_the_text() -> None:
    outcome = fix("a\nx\n", A_TO_B, Pattern("B1", r"\bb\b", "a"), Pattern("X1", r"\bx\b", "y"))
    assert outcome.text == "a\ny\n"
    assert outcome.applied == Counter(X1=1)
    assert [blocked[:2] for blocked in outcome.blocked] == [("A1", 1)]
    assert "did not converge" in outcome.blocked[0].reason


def test_a_long_oscillation() -> None:
    ring = [Pattern(f"R{i}", rf"\bv{i}\b", f"v{(i + 1) % 5}") for i in range(5)]
    outcome = fix("x\nv2\nx\n", *ring, Pattern("X1", r"\bx\b", "y"))
    assert outcome.text == "y\nv2\ny\n"
    assert outcome.applied == Counter(X1=2)
    assert [blocked.code for blocked in outcome.blocked] == ["R2"]


def test_a_rule_that_never_ends() -> None:
    ping = Pattern("N1", r"^n$", "m")
    pong = Pattern("M1", r"^m$", "n\nk")
    outcome = fix("a\nn\n", ping, pong, A_TO_B)
    assert outcome.text == "b\nn\n"
    assert outcome.applied == Counter(A1=1)
    assert outcome.blocked == (Blocked("N1", 2, "did not converge after 100 passes"),)


def test_a_rule_that_only_moves_on_is_blocked() -> None:
    def longer(match: re.Match[str], text: str) -> list[Edit]:
        return [Edit(match.end(), match.end(), f"n{int(match[1]) + 1}\n")]

    outcome = fix("n0\n", Pattern("N1", r"^n(\d+)\n\Z", longer))
    assert outcome.blocked == (Blocked("N1", 1, "the problem would still be there"),)


# Encodings


def test_a_character_that_the_encoding_lacks_is_blocked() -> None:
    source = Source.from_bytes("# coding: latin-1\nx = 'ü'\na\n".encode("latin-1"), "x.py")
    lint = linting(Pattern("X1", "ü", "€"), A_TO_B)
    outcome = fix_text(source, lint, unsafe=False)
    assert source.encode(outcome.text) == "# coding: latin-1\nx = 'ü'\nb\n".encode("latin-1")
    reason = "the file's encoding iso-8859-1 has no '€'"
    assert outcome.blocked == (Blocked("X1", 2, reason),)


def test_a_new_coding_comment_is_blocked() -> None:
    source = Source.from_bytes("x = 'ü'\n".encode(), "x.py")
    lint = linting(Pattern("X1", "(?<!1\n)^x", "# coding: latin-1\nx"))
    outcome = fix_text(source, lint, unsafe=False)
    assert outcome.text == "x = 'ü'\n"
    assert "encoding" in outcome.blocked[0].reason


def test_bytes_outside_of_edits_are_kept() -> None:
    data = "\ufeff# -*- coding: utf-8 -*-\r\nif a:\r\n\tx = '''1\n2'''\r\n\f\r\ny = 'ü'".encode()
    source = Source.from_bytes(data, "x.py")
    outcome = fix_text(source, linting(A_TO_B), unsafe=False)
    assert source.encode(outcome.text) == data.replace(b"if a", b"if b")


def test_importing_the_fixer_does_not_import_libcst() -> None:
    code = "import sys, tfxla_lint.fixer; print('libcst' in sys.modules)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "False"


def adding(*names: NewName, edits: tuple[Edit, ...] = ()) -> Fix:
    return Fix("fix", edits or (Edit(0, 0, "x"),), Applicability.SAFE, new_names=names)


MODULE, FIRST, SECOND = (0, 100), (10, 40), (50, 90)
DEFINED = Edit(5, 5, "def step(): ...\n")


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        (adding(NewName("step", *MODULE)), adding(NewName("step", *MODULE)), True),
        (adding(NewName("step", *MODULE)), adding(NewName("other", *MODULE)), False),
        (adding(NewName("step", *MODULE)), adding(NewName(".step", *MODULE)), False),
        (adding(NewName("step", *FIRST)), adding(NewName("step", *SECOND)), False),
        # What the module gets is used outside of the function that has one of its own, or inside.
        (
            adding(NewName("step", *MODULE), edits=(Edit(60, 60, "step()"),)),
            adding(NewName("step", *FIRST), edits=(Edit(20, 20, "step()"),)),
            False,
        ),
        (
            adding(NewName("step", *MODULE), edits=(Edit(30, 30, "step()"),)),
            adding(NewName("step", *FIRST), edits=(Edit(20, 20, "step()"),)),
            True,
        ),
        # Both make the same addition.
        (
            adding(NewName("step", *MODULE), edits=(DEFINED, Edit(30, 30, "step()"))),
            adding(NewName("step", *MODULE), edits=(DEFINED, Edit(60, 60, "step()"))),
            False,
        ),
    ],
)
def test_collisions_of_names(one: Fix, two: Fix, expected: bool) -> None:
    assert collide(one, two) is expected
    assert collide(two, one) is expected


def test_a_fix_that_adds_a_name_of_another_one_chooses_anew() -> None:
    def lint(source: Source) -> LintResult:
        name = "step_2" if "step" in source.text else "step"
        found = []
        for match in re.finditer(r"\ba\b", source.text):
            new = NewName(name, 0, len(source.text))
            edits = (Edit(match.start(), match.end(), f"{name} = {match.start()}"),)
            fix = Fix("fix", edits, Applicability.SAFE, new_names=(new,))
            span = source.span(*match.span())
            found.append(Finding("A1", "rule", Level.WARNING, "message", "x.py", span, fix=fix))
        return LintResult(tuple(found))

    outcome = fix_text(Source("x.py", "a\nb\na\n"), lint, unsafe=False)
    assert outcome.text == "step = 0\nb\nstep_2 = 11\n"
    assert outcome.applied == Counter(A1=2)
