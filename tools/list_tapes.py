"""Lists every gradient tape of some projects, with what the model makes of it.

    python -m tools.list_tapes FOLDER... [--quiet] [--only unknown]

For each `with tf.GradientTape` it prints the place, the verdict and the reason. The verdicts are:

reported    a TXL101 or TXL102 finding speaks of the step that the tape belongs to
traced      it is proved that the step is traced; the route is named
not in a loop
            the step runs eagerly, and no loop that turns more than a few times runs it
unknown     how the step runs is not known (no caller is known, an unknown decorator or base, the
            function is handed to unknown code ...)
silent      the step runs eagerly in a loop, and no finding says so: to be looked into

A table with the counts by project and verdict ends the output.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import libcst as cst

from tfxla_lint.discovery import discover
from tfxla_lint.linter import Linter, syntax_error
from tfxla_lint.neighbourhood import projects_of
from tfxla_lint.registry import read_catalogue
from tfxla_lint.semantics import api
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.steps import AllSteps
from tfxla_lint.semantics.turns import inside_tape
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import Kind
from tfxla_lint.settings.layer import Layer
from tfxla_lint.settings.resolver import SettingsResolver
from tfxla_lint.settings.shown import shown_path
from tfxla_lint.source import Source, SourceError
from tfxla_lint.work import LintOptions
from tfxla_lint.worlds import Worlds

VERDICTS = ("reported", "traced", "not in a loop", "unknown", "silent")
CODES = frozenset({"TXL101", "TXL102"})


@dataclass(frozen=True)
class Site:
    """One tape: where it is opened, and the verdict with its reason."""

    place: str
    verdict: str
    reason: str


@dataclass(frozen=True)
class Judge:
    """Judges the tapes of one file; `findings` are the lines that its findings stand on."""

    model: SemanticModel
    findings: frozenset[tuple[str, int]]

    @property
    def _every(self) -> AllSteps:
        return self.model.ask(AllSteps)

    def sites(self) -> Iterator[Site]:
        """The tapes of the file, in order."""
        for statement in self.model.nodes(cst.With):
            verdict: tuple[str, str] | None = None
            for item in statement.items:
                if self._opens_tape(item.item):
                    verdict = verdict or self._judge(statement)
                    yield Site(self._place(item), *verdict)

    def _opens_tape(self, node: cst.BaseExpression) -> bool:
        named = isinstance(node, cst.Call) and (
            self.model.names.one(node.func) == "tensorflow.GradientTape"
        )
        return named or self.model.value(node).kind is Kind.TAPE

    def _judge(self, statement: cst.With) -> tuple[str, str]:
        unit = self.model.unit(statement)
        reported = self._reported(statement, unit, set())
        if reported is not None:
            return "reported", reported
        contexts = self.model.contexts
        traced = contexts.traced(unit)
        if traced is not None:
            return "traced", f"{traced.reason}, {self._place(traced.root)}"
        loops = (*contexts.hot_loops(unit), *self.model.loops.hot_around(statement, unit))
        if contexts.is_only_eager(unit) and not loops:
            return "not in a loop", self._cold(statement, unit)
        if contexts.is_only_eager(unit):
            return "silent", f"runs in the loop {self._place(loops[-1])}"
        return "unknown", "; ".join(dict.fromkeys(self._unknown(unit, set())))

    def _reported(self, node: cst.CSTNode, unit: Unit, seen: set[int]) -> str | None:
        """The finding that speaks of the step which `node` belongs to."""
        seen.add(id(unit))
        for step in self._every.loops:
            if step.loop in self.model.loops.around(node, unit) and self._has_finding(step.loop):
                return f"TXL102, {self._place(step.loop)}"
        if isinstance(unit.node, cst.FunctionDef) and self._every.function(unit) is not None:
            if self._has_finding(unit.node.name):
                return f"TXL101, {self._place(unit.node.name)}"
        for edge in self.model.calls.untraced(unit):
            if id(edge.caller) not in seen:
                found = self._reported(edge.node, edge.caller, seen)
                if found is not None:
                    return found
        return None

    def _has_finding(self, node: cst.CSTNode) -> bool:
        path = self.model.path(node) or self.model.source.path
        return (path, self.model.line(node)) in self.findings

    def _cold(self, statement: cst.With, unit: Unit) -> str:
        route = self.model.contexts.eager(unit)
        around = list(self.model.loops.around(statement, unit))
        for call in route.calls if route is not None else ():
            around += self.model.loops.around(call, self.model.unit(call))
        if around:
            return f"the loop {self._place(around[-1])} turns a few times"
        if inside_tape(self.model, statement):
            return "inside of another tape"
        start = route.reason if route is not None else ""
        return f"run once, from {start} {self._place(route.root) if route is not None else ''}"

    def _unknown(self, unit: Unit, seen: set[int]) -> Iterator[str]:
        """Why it is not known how `unit` runs, from its callers on."""
        seen.add(id(unit))
        own = list(self._own_reasons(unit))
        yield from own
        edges = self.model.calls.untraced(unit)
        for edge in edges:
            if id(edge.caller) not in seen and not edge.caller.is_module:
                yield from self._unknown(edge.caller, seen)
        if not edges and not own:
            eager = self.model.contexts.eager(unit)
            yield f"no caller of `{unit.qualname}` is known" if eager is None else eager.reason

    def _own_reasons(self, unit: Unit) -> Iterator[str]:
        for decorator in unit.unknown_decorators:
            yield f"`{unit.qualname}` has an unknown decorator, {self._place(decorator)}"
        if unit.is_async:
            yield f"`{unit.qualname}` is async"
        if unit.class_ is not None and unit.class_.base_may_trace:
            yield f"`{unit.class_.name}` has an unknown base"
        elif unit.class_ is not None and unit.class_.role is not Kind.OBJECT:
            if unit.name in api.KERAS_CALLED_METHODS | api.TRACED_MODEL_METHODS:
                yield f"Keras may call `{unit.qualname}`"
        for use in self.model.uses:
            if use.unit is unit and use.how == "unknown":
                yield f"`{unit.qualname}` is handed to unknown code, {self._place(use.node)}"

    def _place(self, node: cst.CSTNode) -> str:
        return f"{self.model.path(node) or self.model.source.path}:{self.model.line(node)}"


class Project:
    """One project folder, linted as from inside of it."""

    def __init__(self, folder: Path) -> None:
        resolver = SettingsResolver(Layer(folder))
        targets = discover([str(folder)], resolver).files
        self._projects = projects_of(targets, resolver)
        paths = [target.path for target in targets if target.path.suffix == ".py"]
        self._paths = sorted(paths, key=self._cluster)

    def _cluster(self, path: Path) -> tuple[str, ...]:
        """Files of a cluster stand together: only one cluster is held at a time."""
        cluster = self._projects.cluster(path)
        return (*(cluster.files if cluster is not None else ()), path.as_posix())

    def sites(self) -> Iterator[Site]:
        """The tapes of all files."""
        worlds = Worlds(self._projects)
        linter = Linter(read_catalogue(), LintOptions(CODES, frozenset()), worlds)
        pending: list[tuple[Path, Source]] = []
        findings: set[tuple[str, int]] = set()
        for index, path in enumerate(self._paths):
            source = self._read(path)
            if source is not None:
                found = linter.lint(source, path).findings
                findings |= {(finding.path, finding.span.line) for finding in found}
                pending.append((path, source))
            following = self._paths[index + 1] if index + 1 < len(self._paths) else None
            if following is None or self._is_elsewhere(path, following):
                yield from self._judged(worlds, pending, frozenset(findings))
                pending.clear()

    def _is_elsewhere(self, path: Path, following: Path) -> bool:
        cluster = self._projects.cluster(path)
        return cluster is None or cluster != self._projects.cluster(following)

    def _judged(
        self, worlds: Worlds, files: list[tuple[Path, Source]], findings: frozenset[tuple[str, int]]
    ) -> Iterator[Site]:
        for path, source in files:
            tree = worlds.tree(source, path) or cst.parse_module(source.text)
            yield from Judge(worlds.model(tree, source, path), findings).sites()

    def _read(self, path: Path) -> Source | None:
        try:
            source = Source.read(path, shown_path(path))
        except (OSError, SourceError):
            return None
        is_relevant = "GradientTape" in source.text or "tensorflow" in source.text
        return source if is_relevant and syntax_error(source) is None else None


def table(counts: dict[str, Counter[str]]) -> Iterator[str]:
    yield "| project | " + " | ".join(VERDICTS) + " | all |"
    yield "|---" * (len(VERDICTS) + 2) + "|"
    total: Counter[str] = Counter()
    for name, count in counts.items():
        total += count
        yield _row(name, count)
    yield _row("all", total)


def _row(name: str, count: Counter[str]) -> str:
    numbers = [count[verdict] for verdict in VERDICTS]
    return f"| {name} | " + " | ".join(map(str, [*numbers, sum(numbers)])) + " |"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--only", action="append", choices=VERDICTS, help="list these verdicts")
    parser.add_argument("--quiet", action="store_true", help="print the table alone")
    options = parser.parse_args()
    counts: dict[str, Counter[str]] = {}
    for folder in options.folders:
        count = counts[folder.name] = Counter()
        for site in Project(folder.resolve()).sites():
            count[site.verdict] += 1
            if not options.quiet and site.verdict in (options.only or VERDICTS):
                print(f"{site.place}: {site.verdict}: {site.reason}", flush=True)
    print("\n".join(table(counts)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
