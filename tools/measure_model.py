"""Measures what the semantic model costs on top of parsing.

    python -m tools.measure_model FOLDER...

For the largest cluster of each project (the files that are analysed together) it prints the parts
of the model's CPU time as shares of LibCST's parse of the same files, all from one run:
binding scopes and names, linking the modules, evaluating kinds, finding contexts, finding steps.
"""

from __future__ import annotations

import argparse
import gc
import os
import time
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import libcst as cst

from tfxla_lint.project.projects import Project
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.world import Module, World
from tfxla_lint.source import Source

PARTS = ("bind", "link", "evaluate", "contexts", "steps")


def measure(folder: Path) -> tuple[int, float, list[float]]:
    """The number of files, the seconds of their parse, and each part's share of these."""
    files = [path for path in sorted(folder.rglob("*.py")) if "test" not in path.name]
    project = Project.of(folder, files)
    clusters = set(project.by_file.values())
    largest = max(clusters, key=lambda files: sum(os.path.getsize(folder / f) for f in files))
    gc.disable()
    cst.parse_module("")
    times = [time.process_time()]
    parsed = []
    for file in largest:
        source = Source.read(folder / file)
        parsed.append((file, source, cst.parse_module(source.text)))
    times.append(time.process_time())
    modules = [Module.parsed(*each) for each in parsed]
    times.append(time.process_time())
    world = World(modules, project.layout)
    times.append(time.process_time())
    assert world.evaluator
    times.append(time.process_time())
    assert world.contexts
    times.append(time.process_time())
    for model in (SemanticModel(world, module) for module in modules):
        assert model.steps.loops is not None
        assert model.steps.functions is not None
    times.append(time.process_time())
    gc.enable()
    parse, *rest = (after - before for before, after in pairwise(times))
    return len(largest), parse, [seconds / parse for seconds in rest]


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a row for each folder."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path)
    print("| project | files | parse, s |", " | ".join(PARTS), "| all |")
    print("|---" * (len(PARTS) + 4) + "|")
    for folder in parser.parse_args(arguments).folders:
        files, seconds, shares = measure(folder)
        cells = [folder.name, str(files), *(f"{x:.2f}" for x in (seconds, *shares, sum(shares)))]
        print("|", " | ".join(cells), "|")


if __name__ == "__main__":
    main()
