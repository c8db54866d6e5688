"""Lints one file: source, semantic model, rules, precedence, suppressions, findings."""

from __future__ import annotations

import ast
import re
import sys
import traceback
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from tfxla_lint.budgets import PENDING_CALLS, TooMuchError, check_size
from tfxla_lint.findings import Applicability, Finding, Fix, Level, Related, Span
from tfxla_lint.notebooks.reading import source_for_report, source_of
from tfxla_lint.precedence import Candidate, Precedence
from tfxla_lint.registry import (
    SYNTAX_ERROR,
    TOOL_FAMILY,
    UNUSED_SUPPRESSION,
    Catalogue,
    RuleInfo,
    load_rule,
)
from tfxla_lint.settings.taught import NOTHING_TAUGHT
from tfxla_lint.source import Source, SourceError
from tfxla_lint.suppressions import Suppressions
from tfxla_lint.unused import unused_suppressions
from tfxla_lint.work import LintOptions
from tfxla_lint.worlds import Worlds

if TYPE_CHECKING:
    from tfxla_lint.edits import Rewrite
    from tfxla_lint.recording import Recording
    from tfxla_lint.rule import Report, Rule
    from tfxla_lint.semantics.model import SemanticModel

SYNTAX_ERROR_NAME = "syntax-error"
_LINE = re.compile(r"\bon line (\d+)")


@dataclass(frozen=True)
class Crash:
    """A part of the tool that raised: a rule's code, or one of `PARTS`; with the traceback."""

    code: str
    message: str
    traceback: str = ""

    #: What else than a rule can raise, with what it means for the file.
    PARTS: ClassVar[dict[str, str]] = {
        "parser": "LibCST cannot read it",
        "model": "the semantic model failed",
        "fixer": "fixing it failed",
        "linter": "linting it failed",
    }

    @classmethod
    def of(cls, code: str, error: BaseException) -> Crash:
        """What is kept of an exception while it is handled."""
        kind = type(error).__name__
        try:
            text = str(error).strip().split("\n")[0]
        except Exception:
            text = ""  # One of a plug-in's, which cannot even be shown.
        return cls(code, f"{kind}: {text}" if text else kind, traceback.format_exc())


@dataclass(frozen=True)
class LintResult:
    """What linting one file gave.

    `findings` are sorted; `suppressed` counts those that comments silence. `has_syntax_error` says
    that the file is no Python and that its only finding says so.
    """

    findings: tuple[Finding, ...] = ()
    suppressed: int = 0
    has_syntax_error: bool = False
    crashed: tuple[Crash, ...] = ()


@dataclass
class _Draft:
    """A rule's report with its place, before it becomes a finding."""

    rule: Rule
    report: Report
    candidate: Candidate


@dataclass
class _Run:
    """One file's drafts and crashes as they come in."""

    drafts: list[_Draft] = field(default_factory=list)
    crashed: list[Crash] = field(default_factory=list)

    def crash(self, code: str, error: BaseException) -> None:
        self.crashed.append(Crash.of(code, error))


class Linter:
    """Lints files under one set of options; `pause` is called before each rule, and may raise."""

    def __init__(
        self,
        catalogue: Catalogue,
        options: LintOptions,
        worlds: Worlds | None = None,
        pause: Callable[[], None] = lambda: None,
    ) -> None:
        self._pause = pause
        self._catalogue = catalogue
        self._precedence = Precedence(catalogue.rules)
        self._options = options
        self._worlds = worlds or Worlds()
        self._loaded: dict[str, Rule] = {}
        #: The words that the rules' needs were held against last, and the rules that may report.
        self._met: tuple[frozenset[str], bool, list[RuleInfo]] | None = None

    def lint_bytes(
        self, data: bytes, path: str, place: Path | None = None
    ) -> tuple[LintResult, Source]:
        """The findings for a file's bytes, and the source that their places refer to.

        `path` is what findings name; `place` is where the file lies among others, absolute.
        """
        try:
            source = source_of(data, path)
        except SourceError as error:
            return _undecodable(error, path), source_for_report(data, path)
        return self.lint(source, place), source

    def lint(self, source: Source, place: Path | None = None) -> LintResult:
        """The findings for a source; `place` is where the file lies among others, absolute."""
        is_concerned = bool(self._infos) and self._worlds.concern(source, place)
        try:
            if is_concerned:
                check_size(source.text)
            error = syntax_error(source)
            if error is not None:
                return LintResult((error,), has_syntax_error=True)
            return self._linted(source, place, is_concerned)
        except TooMuchError as much:
            found = _syntax_finding(str(much), source.path, _span_at(source, 1, 1))
            return LintResult((found,), has_syntax_error=True)

    def _linted(self, source: Source, place: Path | None, is_concerned: bool) -> LintResult:
        suppressions = Suppressions.read(source, self._catalogue.expand)
        run = _Run()
        findings: list[Finding] = []
        suppressed = 0
        infos = self._infos_for(source, place) if is_concerned else []
        if infos:
            findings, suppressed = self._run_rules(source, place, infos, suppressions, run)
        if UNUSED_SUPPRESSION in self._options.enabled:
            ran = self._options.enabled - {crash.code for crash in run.crashed}
            complete = not any(crash.code in ("parser", "model") for crash in run.crashed)
            if complete:
                nearest = self._catalogue.nearest
                findings += unused_suppressions(source, suppressions, ran, nearest)
        findings = [self._with_allowed_fix(finding, source) for finding in findings]
        findings.sort(key=lambda finding: finding.sort_key)
        return LintResult(tuple(findings), suppressed, crashed=tuple(run.crashed))

    def _with_allowed_fix(self, finding: Finding, source: Source) -> Finding:
        if finding.fix is None:
            return finding
        edits = source.fitted(finding.fix.edits) if finding.code in self._options.fixable else None
        fix = replace(finding.fix, edits=edits) if edits is not None else None
        return replace(finding, fix=fix)

    @cached_property
    def _infos(self) -> list[RuleInfo]:
        """The rules to run: those that are on, and those that speak for them."""
        own = {rule.code for rule in self._catalogue.rules if rule.family == TOOL_FAMILY}
        enabled = self._options.enabled - own
        codes = (enabled | self._precedence.stronger_than(enabled)) & self._catalogue.codes
        return [self._catalogue.by_code[code] for code in sorted(codes)]

    def _infos_for(self, source: Source, place: Path | None) -> list[RuleInfo]:
        """Those of the rules that may report anything, by the words of the code and of what it is
        analysed with."""
        if self._options.profile is not None or self._options.taught != NOTHING_TAUGHT:
            return self._infos
        from tfxla_lint.needs import TARGET, are_met

        words = self._worlds.words(source, place)
        has_target = self._options.version_for(source) is not None
        if self._met is None or self._met[0] is not words or self._met[1] != has_target:
            all_words = words | {TARGET} if has_target else words
            met = [info for info in self._infos if are_met(info.needs, all_words)]
            self._met = words, has_target, met
        return self._met[2]

    def _load_rules(self, infos: Sequence[RuleInfo], run: _Run) -> list[Rule]:
        """The rules, loaded once; one whose module raises has crashed in every file."""
        for info in infos:
            if info.code not in self._loaded:
                try:
                    self._loaded[info.code] = load_rule(info)
                except Exception as error:
                    run.crash(info.code, error)
        return [self._loaded[info.code] for info in infos if info.code in self._loaded]

    def _run_rules(
        self,
        source: Source,
        place: Path | None,
        infos: Sequence[RuleInfo],
        suppressions: Suppressions,
        run: _Run,
    ) -> tuple[list[Finding], int]:
        model = self._model(source, place, run)
        if model is None:
            return [], 0
        is_silent = self._worlds.is_told_by_others(source)
        for rule in self._load_rules(infos, run):
            self._pause()
            self._collect(rule, model, is_silent, run)
        return self._settle(model, suppressions, run)

    def _model(self, source: Source, place: Path | None, run: _Run) -> SemanticModel | None:
        from tfxla_lint.semantics.parsing import parsed

        sys.setrecursionlimit(max(sys.getrecursionlimit(), PENDING_CALLS))
        try:
            module = self._worlds.tree(source, place) or parsed(source.text)
        except TooMuchError:
            raise
        except Exception as error:
            run.crash("parser", error)
            return None
        try:
            version = self._options.version_for(source)
            model = self._worlds.model(
                module, source, place, version, self._recording, self._options.taught
            )
        except TooMuchError:
            raise
        except Exception as error:
            run.crash("model", error)
            return None
        model.world.requires_tf_keras = self._options.may_use_tf_keras
        model.world.takes_newer = self._options.takes_newer
        return model

    @cached_property
    def _recording(self) -> Recording | None:
        """The profile, read once; that it can be read has been seen to by whoever named it."""
        if self._options.profile is None:
            return None
        from tfxla_lint.recording import Recording

        data = self._worlds.disk.read(Path(self._options.profile))
        return Recording.of_bytes(data, self._options.profile)

    def _collect(self, rule: Rule, model: SemanticModel, is_silent: bool, run: _Run) -> None:
        """What a rule reports; where `is_silent`, nothing that is inferred from use."""
        try:
            for report in rule.check(model):
                if not model.is_own(report.node):
                    continue
                if is_silent and model.is_by_use(report.node):
                    continue
                if not isinstance(report.message, str):
                    raise TypeError(f"its message is no text: {report.message!r}")
                covered = [model.extent(node) for node in report.covers]
                candidate = Candidate(rule.code, model.span(report.node), covered)
                run.drafts.append(_Draft(rule, report, candidate))
        # A plug-in's rule may try to end the run: that is a failure of the rule.
        except (Exception, SystemExit, GeneratorExit) as error:
            from tfxla_lint.semantics.positions import PositionsError

            if not isinstance(error, PositionsError):
                run.crash(rule.code, error)
            elif all(crash.code != "parser" for crash in run.crashed):
                run.crash("parser", error)

    def _settle(
        self, model: SemanticModel, suppressions: Suppressions, run: _Run
    ) -> tuple[list[Finding], int]:
        """Let the strongest speak, then the suppressions; only what is left gets its fix."""
        findings: list[Finding] = []
        suppressed = 0
        bare = [_finding(draft, model) for draft in run.drafts]
        enabled = [finding.code in self._options.enabled for finding in bare]
        silenced = [on and suppressions.silences(f) for on, f in zip(enabled, bare, strict=True)]
        for index in self._precedence.settle([draft.candidate for draft in run.drafts]):
            if silenced[index]:
                suppressed += 1
            if silenced[index] or not enabled[index]:
                continue
            absorbed = [
                bare[i]
                for i in run.drafts[index].candidate.absorbed
                if enabled[i] and not silenced[i]
            ]
            finding = _with_evidence(bare[index], absorbed)
            finding = _with_stake(finding, run.drafts[index], model, run)
            findings.append(_with_fix(finding, run.drafts[index], model, run))
        return _without_repeats(findings), suppressed


def _finding(draft: _Draft, model: SemanticModel) -> Finding:
    rule, report = draft.rule, draft.report
    related = tuple(
        Related(
            model.span(item.node),
            item.message,
            model.path(item.node),
            item.is_further,
            item.is_decisive,
        )
        for item in report.evidence
    )
    level = report.level or rule.level
    if level is Level.ERROR and model.is_by_use(report.node):
        level = Level.WARNING
    return Finding(
        rule.code,
        rule.name,
        level,
        report.message,
        model.source.path,
        draft.candidate.span,
        related,
    )


def _with_evidence(finding: Finding, absorbed: Sequence[Finding]) -> Finding:
    """`finding` with the places of those that it speaks for, each place once."""
    seen = {(finding.span.start, finding.span.end)}
    seen |= {(item.span.start, item.span.end) for item in finding.related if item.path is None}
    more: list[Related] = []
    for other in sorted(absorbed, key=lambda f: f.sort_key):
        place = (other.span.start, other.span.end)
        if place not in seen:
            seen.add(place)
            more.append(Related(other.span, f"{other.code} {other.message}"))
    return replace(finding, related=(*finding.related, *more))


def _with_stake(finding: Finding, draft: _Draft, model: SemanticModel, run: _Run) -> Finding:
    """`finding` with what it costs, where its rule says what is at stake."""
    if draft.report.at_stake is None:
        return finding
    from tfxla_lint.semantics.cost.stakes import estimate

    try:
        return replace(finding, stake=estimate(model, draft.report.at_stake))
    except RecursionError:
        return finding  # Thousands of functions that call each other in a row have no price.
    except Exception as error:
        run.crash(draft.rule.code, error)
        return finding


#: What a fix assumes that would be safe if all of its objects were known by what makes them.
_BY_USE = "an object is what its use shows"


def _with_fix(finding: Finding, draft: _Draft, model: SemanticModel, run: _Run) -> Finding:
    """`finding` with its fix, or with the place of the other file where it would have to be."""
    rewrite = draft.report.rewrite
    if rewrite is None:
        return finding
    from tfxla_lint.edits import place_of

    places = (place_of(edit) for edit in rewrite.edits)
    place = next((place for place in places if not model.is_own(place)), None)
    if place is None:
        if rewrite.applicability is Applicability.SAFE and model.is_by_use(draft.report.node):
            rewrite = replace(rewrite, applicability=Applicability.UNSAFE, assumption=_BY_USE)
        return replace(finding, fix=_fix(draft, rewrite, model, run))
    span, path = model.span(place), model.path(place)
    if any((item.path, item.span.line) == (path, span.line) for item in finding.related):
        return finding
    note = Related(span, "what would mend it stands here, in another file", path)
    return replace(finding, related=(*finding.related, note))


def _fix(draft: _Draft, rewrite: Rewrite, model: SemanticModel, run: _Run) -> Fix | None:
    from tfxla_lint.rewriting.layout import RewriteRefused
    from tfxla_lint.rewriting.lowering import lower
    from tfxla_lint.rewriting.spelling import with_imports
    from tfxla_lint.rewriting.target import check_target

    try:
        check_target(model, rewrite)
        fix = lower(with_imports(model, rewrite), model)
    except RewriteRefused:
        return None
    except Exception as error:
        run.crash(draft.rule.code, error)
        return None
    rule = draft.rule
    return replace(fix, needs_measurement=rule.needs_measurement, variant=rule.variant)


def _without_repeats(findings: list[Finding]) -> list[Finding]:
    """`findings` without the second of two that say the same of the same place."""
    seen: dict[tuple[str, int, int, str], Finding] = {}
    for finding in findings:
        key = (finding.code, finding.span.start, finding.span.end, finding.message)
        seen.setdefault(key, finding)
    return list(seen.values())


def parse_quietly(text: str) -> ast.Module:
    """The `ast` tree of `text`, without the warnings that old string escapes draw."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)


def syntax_error(source: Source) -> Finding | None:
    """The TXL001 finding for a source that Python cannot parse."""
    above = 0
    try:
        for unit in source.units_of_code():
            above = unit[0]
            _check_syntax(unit[1])
    except SyntaxError as error:
        message = _explain(error, source, above)
        line, column = above + (error.lineno or 1), max(error.offset or 1, 1)
        return _syntax_finding(message, source.path, _span_at(source, line, column))
    except (RecursionError, MemoryError):
        message = str(TooMuchError.of_depth())
        return _syntax_finding(message, source.path, _span_at(source, 1, 1))
    except ValueError as error:
        return _syntax_finding(str(error), source.path, _span_at(source, 1, 1))
    return None


def _check_syntax(text: str) -> None:
    """Raise what Python raises for a text; a table of symbols takes it less time than a tree."""
    import symtable

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            symtable.symtable(text, "<unknown>", "exec")
        except RecursionError:
            ast.parse(text)


def _explain(error: SyntaxError, source: Source, above: int) -> str:
    message = _LINE.sub(partial(_as_shown, source, above), error.msg or "invalid syntax")
    line = source.line_text(above + (error.lineno or 1))
    if "experimental.async" in line.replace(" ", ""):
        message += (
            "; `async` is a keyword since Python 3.7, so `tf.experimental.async...` cannot be a"
            " name, and TensorFlow has no such symbol"
        )
    return message


def _as_shown(source: Source, above: int, match: re.Match[str]) -> str:
    """A line that Python names, as it is counted where people see it."""
    return f"on line {_span_at(source, above + int(match.group(1)), 1).shown_line}"


def _span_at(source: Source, line: int, column: int) -> Span:
    """A span of no length at a place that may lie behind the end of its line or of the file."""
    starts = source.line_starts
    line = min(max(line, 1), len(starts))
    column = min(column, len(source.line_text(line)) + 1)
    offset = starts[line - 1] + column - 1
    return source.span(offset, offset)


def _syntax_finding(message: str, path: str, span: Span) -> Finding:
    return Finding(SYNTAX_ERROR, SYNTAX_ERROR_NAME, Level.ERROR, message, path, span)


def _undecodable(error: SourceError, path: str) -> LintResult:
    line, column = error.line, error.column
    span = Span(0, 0, line, column, line, column)
    finding = _syntax_finding(error.message, path, span)
    return LintResult((finding,), has_syntax_error=True)
