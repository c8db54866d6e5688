"""Jobs for the worker: what each of them holds, and the verdict that its report gives."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import time
from collections.abc import Mapping
from typing import Any

from tfxla_lint.knowledge.behaviour import Trait, packages
from tfxla_lint.sandbox.jobs import Death, Worker
from tfxla_lint.verify.changes import Changes
from tfxla_lint.verify.constants import asks_for_nan
from tfxla_lint.verify.lost import lost_settings
from tfxla_lint.verify.pairs import Options, Pair, Progress, Version, package_of
from tfxla_lint.verify.remade import remade
from tfxla_lint.verify.renames import renamed
from tfxla_lint.verify.trees import UNPARSED, Tree
from tfxla_lint.verify.verdicts import Evidence, Outcome, Verdict

Report = Mapping[str, Any]

#: So many inputs that the original does not survive are left out, one after the other.
_SKIPPED = 3

_DOING = {
    "script": "running the program",
    "script again": "running the program again",
    "inputs": "looking for arguments",
    "calls": "calling",
    "calls again": "calling again",
    "measure": "timing",
    "power": "trying what would be seen",
    "program": "running the program",
    "examples": "calling the declared examples",
    "arguments": "looking for arguments",
    "run": "running the command",
}


class Jobs:
    """Gives the jobs of one pair to a worker."""

    def __init__(
        self,
        worker: Worker,
        options: Options,
        progress: Progress,
        pair: Pair,
        old: Tree,
        changes: Changes,
    ) -> None:
        self._worker = worker
        self._progress = progress
        self._old = old
        self._changes = changes
        self.options = options
        self.pair = pair
        #: The folder whose files a program may read that works in an empty one.
        self._beside = str(pair.path.parent)

    def by(self, command: tuple[str, ...]) -> Jobs:
        """The same where a program runs the code, in a folder that goes away."""
        options = dataclasses.replace(self.options, command=command, folder="")
        other = Jobs(self._worker, options, self._progress, self.pair, self._old, self._changes)
        other._beside = os.path.dirname(command[0])
        return other

    def common(self, texts: list[str], version: Version) -> dict[str, Any]:
        """What every job holds."""
        path = str(self.pair.path)
        sides = []
        for label, text, overlay in zip(
            ("original", "rewritten"), texts, (self.pair.overlays[0], version.overlay), strict=True
        ):
            sides.append({"label": label, "source": text, "overlay": {**overlay, path: text}})
        package, root = package_of(self.pair.path)
        search = [root, os.path.dirname(path), *self.options.search]
        return {
            "path": path,
            "cells": self.pair.cells,
            "shows": sorted(packages(Trait.SHOWS)),
            "search": list(dict.fromkeys(search)),
            "beside": self._beside,
            "package": package,
            "sides": sides,
            "gone": sorted(set().union(*map(_gone, *zip(*self._trees(version), strict=True)))),
            "remade": sorted(remade(self._old, version.tree)),
            "renamed": renamed(self._old, version.tree),
            "settings": lost_settings(self._trees(version)),
            "properties": sorted(self._old.attributes & version.tree.properties),
            "correcting": self.options.correcting,
            "untimed": not self.options.measure,
            "xla": "jit_compile" in self.pair.rewritten,
            "asks_nan": asks_for_nan(self._old) or asks_for_nan(version.tree),
        }

    def _trees(self, version: Version) -> list[tuple[Tree, Tree]]:
        """What is run, as it was and in a version: this file, and others that are not the same."""
        found = [(self._old, version.tree)]
        for path, text in self.pair.overlays[0].items():
            other = version.overlay.get(path, text)
            if other != text and path != str(self.pair.path):
                with contextlib.suppress(*UNPARSED):
                    found.append((Tree(text), Tree(other)))
        return found

    def run(self, unit: str, method: str, job: Mapping[str, Any]) -> tuple[Verdict, Report]:
        """Run a job; the worker's end is a verdict too."""
        shown = self.pair.shown
        self._progress(f"{shown}: {unit}: {_DOING[method]}")
        began = time.monotonic()
        interim: dict[str, Any] = {}

        def on_event(message: Mapping[str, Any]) -> None:
            if message["event"] == "interim":
                interim.update(message)
            elif message["event"] == "phase":
                what = _DOING.get(message["what"], message["what"])
                self._progress(f"{shown}: {unit}: {message['side']}: {what}")

        try:
            report: Report = self._worker.run(job, self.options.limits, on_event)
        except Death as death:
            skipped = job.get("skipped", [])
            if death.number is not None and len(skipped) < _SKIPPED:
                return self.run(unit, method, {**job, "skipped": [*skipped, death.number]})
            if interim:
                report = interim
            else:
                return _of_death(shown, unit, method, death, time.monotonic() - began), {
                    "hits": dict.fromkeys(self._changes.units, 1),
                    "death": death.kind,
                }
        seconds = time.monotonic() - began
        return Verdict.from_report(shown, unit, method, report, seconds), report


def _gone(old: Tree, new: Tree) -> set[str]:
    """The globals and attributes that only the first of two versions has."""
    return set(old.binding_counts - new.binding_counts) | (old.attributes - new.attributes)


def _of_death(path: str, unit: str, method: str, death: Death, seconds: float) -> Verdict:
    """The verdict where the worker ended: the rewritten code's doing is a difference."""
    if death.side == "rewritten":
        kind = "timeout" if death.kind == "timeout" else "exception"
        evidence = Evidence(kind, "", "it ends", death.reason)
        return Verdict(
            path, unit, Outcome.DIFFERS, method=method, evidence=(evidence,), seconds=seconds
        )
    who = "the original" if death.side == "original" else "the worker"
    reason = f"{who} did not end well: {death.reason}"
    return dataclasses.replace(Verdict.unchecked(path, unit, reason, method), seconds=seconds)
