"""Turns what the probed calls showed into one verdict per endpoint and version."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from tools.harvest import randomness, variants
from tools.harvest.variants import Version

Record = dict[str, Any]

STATELESS = "draws other random numbers than the uncompiled function"
STATEFUL = STATELESS + "; seeds are ignored"

#: Why results differ, where the numbers alone do not say.
REASONS = {
    "keras.ops.svd": "singular vectors may change their sign",
    "keras.ops.eigh": "eigenvectors may change their sign",
    "linalg.svd": "singular vectors may change their sign",
    "linalg.eigh": "eigenvectors may change their sign",
    "image.adjust_hue": "pictures of integers may be rounded to the neighbouring value",
    "linalg.qr": "columns may change their sign",
    "linalg.cholesky": "the part above the diagonal is zero",
    "TensorArray(dynamic_size=True)": "cut to its initial size",
}

#: Whether these differ hangs on the numbers of the call.
SIGNS = {"keras.ops.svd", "keras.ops.eigh", "linalg.svd", "linalg.eigh"}

#: Endpoints whose result has a fixed shape where this argument is given.
FIXED_BY = {
    "where": "x",
    "compat.v1.where": "x",
    "experimental.numpy.where": "x",
    "keras.ops.where": "x1",
    "keras.ops.segment_sum": "num_segments",
    "keras.ops.segment_max": "num_segments",
}
GIVEN = "<given>"

GRAVE = ("unsupported", "fails", "untraceable", "no-ops")
FAILING = {"unsupported", "fails"}
KIND = "<kind>"


def read(results: Path) -> dict[str, Record]:
    """The last record of each endpoint."""
    found: dict[str, Record] = {}
    for line in results.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        found[record["name"]] = record
    return found


def classify(name: str, record: Record) -> Record | None:
    """The table's record for an endpoint; None where the calls do not agree on anything."""
    cases = record.get("cases")
    if not cases:
        return None
    kinds = {case.get("kind", "dense") for case in cases}
    main_kind = "dense" if "dense" in kinds else cases[record["base"]].get("kind", "dense")
    main = [case for case in cases if case.get("kind", "dense") == main_kind]
    settled = settle(main)
    if settled is None:
        return None
    agreed, modes = settled
    if status_of(agreed[0]) == "untraceable" and not believable(agreed[0]):
        return None
    found = summary(name, agreed, record)
    modes += [mode_of(name, mode, mode["when"]) for mode in record.get("modes", [])]
    modes += kind_modes(name, cases, main_kind, found)
    if found["status"] not in GRAVE:
        modes = [mode for mode in modes if mode["status"] != "no-ops"]
    modes = unique([*modes, *shaped(name, cases, found)])
    if modes:
        found["modes"] = modes
    return found


def status_of(case: Record) -> str:
    return str(case.get("status", "compiles"))


def settle(cases: list[Record]) -> tuple[list[Record], list[Record]] | None:
    """The cases that stand for the endpoint, and modes that explain the others."""
    acting = (
        [case for case in cases if status_of(case) not in ("no-ops", "untraceable")]
        or [case for case in cases if status_of(case) == "no-ops"]
        or cases
    )
    statuses = {(status_of(case), tuple(case.get("unsupported", []))) for case in acting}
    if len({status for status, _ in statuses}) == 1:
        return acting, []
    good = [case for case in acting if status_of(case) == "compiles"]
    bad = [case for case in acting if status_of(case) != "compiles"]
    modes = []
    for case in bad:
        blamed = blame(case, good)
        if blamed is None:
            return prefer_recipes(acting)
        modes.append(mode_of("", case, blamed))
    return (good, modes) if good else prefer_recipes(acting)


#: Errors of tracing that lie in the endpoint, not in arguments that were badly chosen.
TRACING_ERRORS = (
    "NotImplementedError: Cannot convert a symbolic",
    "AttributeError: 'SymbolicTensor' object has no attribute 'numpy'",
    "AttributeError: 'Tensor' object has no attribute 'numpy'",
    "ValueError: tf.function only supports singleton tf.Variables",
    "UnliftableError",
)


def believable(case: Record) -> bool:
    """Whether a failure to trace says something about the endpoint."""
    return case.get("source") == "recipe" or case.get("reason", "").startswith(TRACING_ERRORS)


def blame(case: Record, good: list[Record]) -> dict[str, str] | None:
    """The literal argument that sets a failing case apart from all that compile."""
    for name, value in case.get("literals", {}).items():
        if value not in ("None",) and all(
            other.get("literals", {}).get(name) != value for other in good
        ):
            return {name: value}
    return None


def prefer_recipes(cases: list[Record]) -> tuple[list[Record], list[Record]] | None:
    """Cases written by hand decide where the others contradict each other."""
    recipes = [case for case in cases if case.get("source") == "recipe"]
    statuses = {status_of(case) for case in recipes}
    return (recipes, []) if len(statuses) == 1 else None


def summary(name: str, cases: list[Record], record: Record) -> Record:
    first = cases[0]
    status = status_of(first)
    found: Record = {"status": status}
    if status == "unsupported":
        ops = sorted({op for case in cases for op in case.get("unsupported", [])})
        found["ops"] = " ".join(ops)
    if status in GRAVE:
        if first.get("reason"):
            found["reason"] = first["reason"]
        return found
    constants = merged(
        [case.get("constants", {}) for case in cases] + [record.get("tensor_arguments", {})]
    )
    add_gradient(found, cases)
    checks = sorted({op for case in cases for op in case.get("checks", [])})
    if not first.get("checks"):
        checks = []
    dynamic = any(case.get("dynamic") and not case.get("constants") for case in cases)
    if constants:
        found["const"] = constants
        found["status"] = "recompiles"
    if record.get("hazards"):
        found["hazards"] = {k: " ".join(v) for k, v in record["hazards"].items()}
    if checks:
        found["checks"] = " ".join(checks)
        found["status"] = "checks-dropped"
    difference = next(filter(None, (difference_of(name, case) for case in cases)), "")
    if difference:
        found["differs"] = difference
        found["status"] = "differs"
        if difference in (STATEFUL, STATELESS):
            found["random"] = 1
    if dynamic and first.get("kind", "dense") == "dense":
        found["dynamic"] = 1
        found["status"] = "dynamic-shape"
    return found


def difference_of(name: str, case: Record) -> str:
    """Why a case computes something else under XLA than without; empty where it does not."""
    drawn = {op for op in case.get("ops", []) if randomness.is_random(op)}
    if drawn - randomness.EXACT:
        if any(randomness.keeps_state(op) for op in drawn):
            return STATEFUL
        chance = "keras.layers.Random" in name
        return STATELESS if chance or case.get("differs") or case.get("stateful") else ""
    if name in SIGNS:
        return REASONS[name]
    if not case.get("differs") or case.get("graph_differs"):
        return ""
    return REASONS.get(name, str(case["differs"]))


def add_gradient(found: Record, cases: list[Record]) -> None:
    missing = sorted({op for case in cases for op in case.get("gradient_unsupported", [])})
    if missing:
        found["gradient_ops"] = " ".join(missing)
    reasons = [case["gradient_reason"] for case in cases if case.get("gradient_reason")]
    if reasons and not missing:
        found["gradient_reason"] = reasons[0]


def merged(tables: Iterable[Mapping[str, list[str]]]) -> dict[str, str]:
    found: dict[str, set[str]] = defaultdict(set)
    for table in tables:
        for name, inputs in table.items():
            found[name].update(inputs)
    return {name: " ".join(sorted(inputs)) for name, inputs in sorted(found.items())}


def mode_of(name: str, case: Record, when: Mapping[str, str]) -> Record:
    """A mode's outcome, told like an endpoint's."""
    whole = summary(name, [case], {})
    kept: Record = {key: whole[key] for key in ("status", "ops", "reason") if key in whole}
    if kept["status"] == "differs":
        kept["reason"] = whole["differs"]
    return {"when": dict(when)} | kept


def kind_modes(name: str, cases: list[Record], main: str, found: Record) -> list[Record]:
    """What becomes of string, sparse and ragged tensors where that is another story."""
    modes = []
    by_kind: dict[str, list[Record]] = defaultdict(list)
    for case in cases:
        by_kind[case.get("kind", "dense")].append(case)
    for kind, some in by_kind.items():
        statuses = {status_of(case) for case in some}
        if kind == main or len(statuses) != 1:
            continue
        if bool(statuses & FAILING) != (found["status"] in FAILING):
            modes.append(mode_of(name, some[0], {KIND: kind}))
    return modes


def shaped(name: str, cases: list[Record], found: Record) -> list[Record]:
    """The mode in which a data-dependent shape is none, if some call has shown it."""
    if "dynamic" not in found or name not in FIXED_BY or all(c.get("dynamic") for c in cases):
        return []
    return [{"when": {FIXED_BY[name]: GIVEN}, "status": "compiles"}]


def unique(modes: list[Record]) -> list[Record]:
    found: list[Record] = []
    for mode in modes:
        if not any(mode["when"] == other["when"] for other in found):
            found.append(mode)
    return found


def version_of(folder: Path) -> Version:
    kernels = json.loads((folder / "kernels.json").read_text(encoding="utf-8"))
    major, minor = kernels["tensorflow"].split(".")[:2]
    return int(major), int(minor)


def canonical_names(folder: Path) -> Callable[[str], str]:
    """Gives a name, or a method after its class, in the spelling of the symbol tables."""
    symbols = json.loads((folder / "symbols.json").read_text(encoding="utf-8"))["symbols"]

    def canonical(name: str) -> str:
        if name in symbols:
            return str(symbols[name].get("canonical", name))
        owner, _, member = name.rpartition(".")
        return f"{symbols[owner].get('canonical', owner)}.{member}" if owner in symbols else name

    return canonical


def write_table(folders: Iterable[Path], knowledge: Path) -> None:
    """The verdicts of all versions; folders without results of their own are passed over."""
    harvested = sorted((version_of(f), f) for f in folders if (f / "verdicts.jsonl").exists())
    newest, last = harvested[-1]
    values: dict[str, dict[Version, Record]] = defaultdict(dict)
    add_verdicts(values, newest, last)
    for version, folder in harvested[:-1]:
        tried = add_verdicts(values, version, folder)
        has = existing(folder)
        for name, known in values.items():
            if newest in known and name not in tried and has(name):
                known[version] = known[newest]
    probed = [version for version, _ in harvested]
    table = {
        "endpoints": {
            name: variants.pack(without_noise(known), probed)
            for name, known in sorted(values.items())
        },
        "probed": [list(version) for version in probed],
    }
    variants.write(knowledge / "xla.json", table)


def add_verdicts(
    values: dict[str, dict[Version, Record]], version: Version, folder: Path
) -> set[str]:
    """Adds what one version showed; the names that were tried."""
    canonical = canonical_names(folder)
    tried = set()
    for name, record in read(folder / "verdicts.jsonl").items():
        tried.add(canonical(name))
        verdict = classify(name, record)
        if verdict is not None:
            values[canonical(name)][version] = verdict
    return tried


def existing(folder: Path) -> Callable[[str], bool]:
    """Whether a version has a name, or the class of a method."""
    symbols = json.loads((folder / "symbols.json").read_text(encoding="utf-8"))["symbols"]
    return lambda name: name in symbols or name.partition("(")[0].rpartition(".")[0] in symbols


#: What a repeated run may tell otherwise: edge values are random, messages have numbers.
NOISE = ("hazards", "reason", "gradient_reason")


def without_noise(known: Mapping[Version, Record]) -> dict[Version, Record]:
    """Verdicts of neighbouring versions made equal where they say the same."""
    found: dict[Version, Record] = {}
    last: Record | None = None
    for version in sorted(known, reverse=True):
        if last is None or essence(known[version]) != essence(last):
            last = known[version]
        found[version] = last
    return found


def essence(verdict: Record) -> Record:
    modes = [essence(mode) for mode in verdict.get("modes", [])]
    return {key: value for key, value in verdict.items() if key not in NOISE} | {"modes": modes}
