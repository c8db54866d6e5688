"""Calls functions of two versions of a module, with declared or found arguments."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Shape
from tfxla_lint.verify.constants import (
    asks_for_nan,
    constants_in,
    has_negatives,
    has_tiny,
    never_below,
)
from tfxla_lint.verify.declared import declared_examples
from tfxla_lint.verify.documented import docstring_of, documented_sizes, least_rows
from tfxla_lint.verify.hints import (
    NoHints,
    functions_inside,
    gives_number,
    made_function,
    parameters_of,
    parameters_of_made,
)
from tfxla_lint.verify.inside import changed_inside
from tfxla_lint.verify.jobs import Jobs
from tfxla_lint.verify.marks import has_same_parameters, marked
from tfxla_lint.verify.objects import (
    classes_asked,
    filled_between,
    instances_of,
    makers_of,
    methods_before,
    methods_between,
    periods_of,
)
from tfxla_lint.verify.pairs import Pair, Version
from tfxla_lint.verify.recipes import Recipe, objects_for, recipes_for
from tfxla_lint.verify.slices import slice_for
from tfxla_lint.verify.trees import Tree, attributes_in, names_read
from tfxla_lint.verify.verdicts import PASSED_BY, Outcome, Verdict
from tfxla_lint.verify.weighing import Weighing

if TYPE_CHECKING:
    from tfxla_lint.semantics.model import SemanticModel


class Calls:
    """Calls functions of the original of a pair and of versions of it."""

    def __init__(self, jobs: Jobs, old: Tree, weighing: Weighing) -> None:
        self._weighing = weighing
        self._jobs = jobs
        self._pair = jobs.pair
        self._options = jobs.options
        self._old = old
        self._recipes: dict[str, list[Recipe]] = {}
        #: Functions that the project calls in ways of which none runs by itself, with the reason.
        self.unrepeatable: dict[str, str] = {}

    def call(
        self, unit: str, version: Version, by_example: bool = False, is_used: bool = False
    ) -> Verdict:
        """Call a function of the original and of a version.

        Of a function that `is_used` a program has run both, so whether it gives a tensor or a number
        is no matter.
        """
        method = "examples" if by_example else "arguments"
        try:
            recipes = self.recipes(unit) if by_example and not self.examples(unit) else []
            examples = self.examples(unit) if by_example else []
            job = self._calls_job(unit, [*examples, *(r.call for r in recipes)], version, recipes)
        except NoHints as reason:
            return Verdict.unchecked(self._pair.shown, unit, str(reason), method)
        job["used"] = is_used
        verdict, report = self._jobs.run(unit, method, job)
        if recipes and verdict.outcome is Outcome.EQUIVALENT:
            places = ", ".join(dict.fromkeys(recipe.place for recipe in recipes))
            note = f"called as {places} shows"
            verdict = replace(verdict, note=f"{verdict.note}; {note}" if verdict.note else note)
        if self._weighing.is_of(version):
            outside = {unit: report["outside"]} if "outside" in report else {}
            left_out = {unit: report.get("defaulted", ())}
            given = {unit: report.get("given", ())}
            more = {"left_out": left_out, "outside": outside, "given": given}
            # What a program passes goes on to say what is meant.
            passed = {} if unit in self._weighing.passed else report.get("passed", {})
            more["passed"] = {unit: passed}
            # A program, or calls of the project, may have shown enough already.
            self._weighing.add({**report, **more}, unit if not by_example else "")
        if report.get("unrepeatable"):
            self.unrepeatable[unit] = verdict.reason
        inside = self._inside(unit, version)
        is_passed = bool(inside) and "ran" in report and not set(report["ran"][0]) & set(inside)
        if is_passed and verdict.outcome is Outcome.EQUIVALENT:
            return Verdict.unchecked(self._pair.shown, unit, PASSED_BY, method)
        return verdict

    def can_be_called(self, unit: str, version: Version) -> bool:
        """Whether both versions of a function take the same arguments, at least by name."""
        if unit not in version.tree.functions:
            return False
        both = (self._old, version.tree)
        return has_same_parameters(*both, unit) or bool(self._by_name(unit, version))

    def _by_name(self, unit: str, version: Version) -> list[list[str]]:
        """By version the names of the parameters that are passed by name, where others are gone."""
        if has_same_parameters(self._old, version.tree, unit):
            return []
        names, needed = [], []
        for tree in (self._old, version.tree):
            args = tree.functions[unit].args
            every = [a.arg for a in (*args.args, *args.kwonlyargs)]
            optional = len(args.defaults) + sum(d is not None for d in args.kw_defaults)
            names.append(every)
            needed.append(every[: len(every) - optional])
        # What a call leaves out is no matter where those that the rewritten code makes give it.
        is_given = bool(_given_to(version.tree, unit, names[1]) - set(names[0]))
        return names if set(needed[1]) <= set(names[0]) and not is_given else []

    def examples(self, unit: str) -> list[str]:
        """The calls of a function that comments declare."""
        declared = {**declared_examples(self._pair.original)}
        declared.update(declared_examples(self._pair.rewritten))
        return [
            example
            for name, texts in declared.items()
            if name == unit or _may_mean(name, unit, self._old)
            for example in texts
        ]

    def recipes(self, unit: str) -> list[Recipe]:
        """How docstrings, tests and other files of the project call a function."""
        if unit not in self._recipes:
            self._recipes[unit] = recipes_for(self._pair, unit)
        return self._recipes[unit]

    def _calls_job(
        self, unit: str, examples: list[str], version: Version, recipes: list[Recipe]
    ) -> dict[str, Any]:
        roots = {unit.partition(".")[0]}
        extra: dict[str, Any] = {}
        own: set[str] = set()
        if examples:
            extra = {"declared": examples, "setups": [recipe.setup for recipe in recipes]}
            roots |= _names_in(examples)
            for recipe in recipes:
                code = ast.parse(f"{recipe.setup}\n{recipe.call}")
                roots |= names_read(code) | attributes_in(code)
        else:
            owner = unit.rpartition(".")[0]
            instances = instances_of(self._old, unit) if owner else []
            # Tests say best what an object is made with that is not made without.
            instances += (
                objects_for(self._pair, owner) if instances and owner in self._old.classes else []
            )
            extra = {"instances": instances, "parameters": self._parameters(unit)}
            extra["after"] = self._after(unit, version, extra["parameters"])
            extra["makes_function"] = made_function(self._old.functions[unit]) is not None
            if not extra["makes_function"]:
                extra["inner"] = functions_inside(self._old.functions[unit])
            roots |= _names_in(instances)
            own = classes_asked(extra["parameters"])
            for name in [*own, *roots]:
                own |= classes_asked(makers_of(self._old).get(name, ()))
        versions = (self._old, version.tree)
        functions = [t.functions[unit] for t in versions if unit in t.functions]
        also = own.union(*map(names_read, functions))
        units = self._weighing.changed.watched
        trees = [Tree(marked(self._old, (), (), (), units=units[0])), version.tree]
        power: dict[str, Any] = {}
        if self._weighing.is_of(version):
            trees[1] = Tree(marked(version.tree, (), (), (), units=units[1]))
            others = [u for u in self._weighing.changed.units if self.can_be_called(u, version)]
            # What sets the object up is run by each call of a method.
            run = {unit, f"{unit.rpartition('.')[0]}.__init__"}
            power = self._weighing.job(
                lambda text: slice_for(Tree(text), roots, also), set(others) - run
            )
        is_passed = bool(self._weighing.passed.get(unit))
        slices = [slice_for(tree, roots, also) for tree in trees]
        below = any(has_negatives(tree, is_written=True) for tree in versions)
        # Places are counted from the end only where code says so.
        rows = extra.get("parameters", ())
        indices = {p["name"] for p in rows if p.get("members_index") and not below}
        indices |= {p["name"] for p in rows if p.get("lengths")}
        return {
            "scenario": "calls",
            "gives_number": gives_number(self._old.functions[unit]),
            "passed": is_passed,
            "defaults": self._weighing.changed.defaults.get(unit, ()),
            **power,
            "unit": unit,
            "name": f"snippet_{self._pair.path.stem}",
            "dims": constants_in(self._old),
            "by_name": self._by_name(unit, version) if unit in version.tree.functions else [],
            "before": methods_before(self._old, unit) if not examples else {},
            "untaped": unit in self._weighing.untaped,
            "stops_gradients": "stop_gradient" in attributes_in(self._old.module),
            "cuts_gradients": _cuts_gradients(self._old, unit),
            "below": below,
            "never_below": sorted(
                set.intersection(*(never_below(t, unit) for t in versions)) | indices
            ),
            "own_negatives": any(has_negatives(Tree(text)) for text in slices),
            "negatives": any(has_negatives(tree, is_written=is_passed) for tree in versions),
            "least": least_rows(self._old, unit),
            "asked": sorted(self._weighing.changed.lines.get(unit, ((), ()))[0]),
            "between": methods_between(self._old, unit) if not examples else {},
            "filled": filled_between(self._old, unit) if not examples else [],
            "classes": _sized(self._old, unit),
            "raises": self._weighing.changed.raises(unit),
            "places": _asks_places(self._old, unit),
            "sparse": "sparse" in self._pair.original.lower(),
            "far": self._weighing.is_bounded,
            "hides_less": self._weighing.hides_less,
            **self._weighing.ties,
            "near": has_tiny(self._old) or has_tiny(version.tree),
            "outside": self._weighing.outside(unit).as_json(),
            "periods": periods_of(self._old, unit),
            "lost": self._weighing.lost_parameters(unit),
            "measure_xla": self._options.measure_xla,
            **extra,
            **self._jobs.common(slices, version),
            "asks_nan": any(asks_for_nan(Tree(text)) for text in slices),
        }

    def _inside(self, unit: str, version: Version) -> tuple[int, ...]:
        """The places to come to in a function of which only some statements changed."""
        if self._options.correcting or unit not in version.tree.functions:
            return ()
        return changed_inside(self._old, version.tree, unit)

    @cached_property
    def _model(self) -> SemanticModel | None:
        return _model_of(self._pair)

    def _parameters(self, unit: str) -> list[dict[str, Any]]:
        parameters = parameters_of(self._old, unit, self._model)
        # What a program passes says best what is meant.
        passed = self._weighing.passed.get(unit, {})
        parameters = [
            {**p, "spec": passed[p["name"]]} if p["name"] in passed else p for p in parameters
        ]
        inner = made_function(self._old.functions[unit])
        if inner is not None:
            known = {parameter["name"] for parameter in parameters}
            made = parameters_of_made(inner)
            if known & {parameter["name"] for parameter in made}:
                raise NoHints("it makes a function whose parameters have the names of its own")
            parameters += made
        return parameters

    def _after(self, unit: str, version: Version, known: list[dict[str, Any]]) -> list[Any]:
        """What the rewritten version does with the same parameters; nothing where it takes others."""
        with suppress(NoHints):
            found = (
                parameters_of(version.tree, unit, None) if unit in version.tree.functions else []
            )
            if [p["name"] for p in found] == [p["name"] for p in known]:
                told = [p.get("spec") for p in known]
                return [{**p, "spec": s} if s else p for p, s in zip(found, told, strict=True)]
        return []


def _may_mean(name: str, unit: str, tree: Tree) -> bool:
    """Whether an example's `agent.step` calls the method `Agent.step`."""
    owner, _, method = name.rpartition(".")
    return bool(owner) and "." in unit and unit.endswith(f".{method}") and owner not in tree.classes


def _given_to(tree: Tree, unit: str, parameters: list[str]) -> set[str]:
    """The parameters of a function that the calls in its module give."""
    owner, _, short = unit.rpartition(".")
    order = parameters[1:] if owner else parameters
    found: set[str] = set()
    for node in ast.walk(tree.module):
        if isinstance(node, ast.Call):
            if short == getattr(node.func, "attr", getattr(node.func, "id", "")):
                found |= {*order[: len(node.args)], *(k.arg for k in node.keywords if k.arg)}
    return found & set(parameters)


def _cuts_gradients(tree: Tree, unit: str) -> bool:
    """Whether a function makes Python numbers or arrays of what it computes, other than to decide by them."""
    function = tree.functions.get(unit)
    if function is None:
        return False
    tests = [n.test for n in ast.walk(function) if isinstance(n, (ast.If, ast.While, ast.IfExp))]
    deciding = {id(part) for test in tests for part in ast.walk(test)}
    calls = (n for n in ast.walk(function) if isinstance(n, ast.Call) and id(n) not in deciding)
    return any(
        (isinstance(c.func, ast.Name) and c.func.id == "float" and not _is_plain(c.args))
        or (isinstance(c.func, ast.Attribute) and c.func.attr == "numpy")
        for c in calls
    )


def _is_plain(given: list[ast.expr]) -> bool:
    """Whether what is made a number is one of sizes or constants: `float(x.shape[-1])`, `float(len(x))`."""
    parts = [part for node in given for part in ast.walk(node)]
    named = (part for part in parts if isinstance(part, (ast.Attribute, ast.Name)))
    words = {part.attr if isinstance(part, ast.Attribute) else part.id for part in named}
    return not words or bool(words & {"shape", "len"})


def _asks_places(tree: Tree, unit: str) -> bool:
    """Whether a function asks at which place something is, such as that of the best score."""
    function = tree.functions.get(unit)
    asking = {name.rpartition(".")[2] for name in behaviour.names(Shape.POSITION)}
    return function is not None and bool(attributes_in(function) & asking)


def _sized(tree: Tree, unit: str) -> dict[str, list[dict[str, Any]]]:
    """How objects are made, with the sizes that the docstring of a method names as they are named there: what
    has `classes` columns is passed to what is made for so many `classes`.
    """
    makers = makers_of(tree)
    function, owner = tree.functions.get(unit), unit.rpartition(".")[0]
    sizes = documented_sizes(docstring_of(function)) if function is not None else {}
    for parameter in makers.get(owner, ()):
        size = sizes.get(parameter["name"])
        spec = parameter.get("spec", {"k": "int"})
        if size is not None and spec["k"] == "int" and not parameter.get("default"):
            parameter["spec"] = {"k": "int", "value": size, "fixed": True}
    return makers


def _names_in(texts: Iterable[str]) -> set[str]:
    return set().union(*(names_read(ast.parse(text, mode="eval")) for text in texts))


def _model_of(pair: Pair) -> SemanticModel | None:
    """The semantic model of the original; None where it fails."""
    import libcst

    from tfxla_lint.semantics.model import SemanticModel
    from tfxla_lint.source import Source

    try:
        source = Source(str(pair.path), pair.original)
        return SemanticModel.build(libcst.parse_module(pair.original), source)
    except Exception:
        return None
