"""Holds `behaviour.json` against what TensorFlow gave, and writes it in its one form."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from tfxla_lint.knowledge import behaviour, symbols
from tfxla_lint.knowledge.behaviour import Dtype, Shape
from tfxla_lint.semantics import api
from tfxla_lint.semantics.values import Kind

#: The kind that the model has for a sort of result.
KINDS = {"tensor": Kind.TENSOR, "tuple": Kind.TUPLE, "list": Kind.LIST}


def write(rows: Mapping[str, Mapping[str, Any]]) -> str:
    """The text of the table: sorted, one line a row."""
    lines = (f"{json.dumps(name)}: {json.dumps(row)}" for name, row in sorted(rows.items()))
    return "{\n" + ",\n".join(lines) + "\n}\n"


def same_in_graphs() -> list[str]:
    """The operations of which a graph computes the same, by each of their names."""
    names = behaviour.names(behaviour.Trait.SAME)
    return sorted(n.removeprefix(symbols.ROOT) for n in names if n.startswith(symbols.ROOT))


def with_static(
    rows: Mapping[str, Mapping[str, Any]], records: Iterable[Mapping[str, Any]]
) -> dict[str, dict[str, Any]]:
    """The rows with what `records` say of arguments, of any spelling of a function.

    Of what a loss is made with nothing is known.
    """
    static: dict[str, set[str]] = defaultdict(set)
    listed = []
    for record in records:
        listed.append(symbols.ROOT + record["name"])
        static[_canonical(listed[-1])].update(record.get("static", ()))
    found = {name: dict(row) for name, row in rows.items()}
    for name in listed:
        symbol = symbols.find(name)
        takes = [p.name for p in (symbol.params if symbol is not None else None) or ()]
        is_made = api.result_of(name).kind is Kind.LOSS and "y_true" not in takes
        said = ["*"] if is_made else sorted(static[_canonical(name)])
        # What another spelling was seen to take is no doubt of all of them.
        said = [word for word in said if f"{word}?" not in said]
        # What a layer is called with is no parameter of its own.
        bare = {word: word.rstrip("?").removesuffix("[]") for word in said}
        said = [w for w in said if w == "*" or (bare[w] in takes and bare[w] not in {*said} - {w})]
        found[name].pop("static", None)
        if said:
            found[name]["static"] = " ".join(said)
    return found


def told_of() -> list[str]:
    """The names of which the table tells how a graph computes them."""
    names = frozenset().union(*map(behaviour.names, behaviour.OF_ARITHMETIC))
    return sorted(n.removeprefix(symbols.ROOT) for n in names if n.startswith(symbols.ROOT))


def with_smooth(
    rows: Mapping[str, Mapping[str, Any]], records: Iterable[Mapping[str, Any]]
) -> dict[str, dict[str, Any]]:
    """The rows with what `records` say of arguments in which functions are smooth, by all their names."""
    smooth: dict[str, set[str]] = {}
    listed = []
    for record in records:
        listed.append(symbols.ROOT + record["name"])
        if "smooth" in record:
            of_all = smooth.setdefault(_canonical(listed[-1]), set(record["smooth"]))
            of_all &= set(record["smooth"])
    found = {name: dict(row) for name, row in rows.items()}
    for name in listed:
        row, said = found[name], sorted(smooth.get(_canonical(name), ()))
        row.pop("smooth", None)
        static = row.pop("static", None)
        if said:
            row["smooth"] = " ".join(said)
        if static is not None:
            row["static"] = static
    return found


def _canonical(name: str) -> str:
    symbol = symbols.find(name)
    return symbol.canonical if symbol is not None else name


def disagreements(records: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Where the table, and what the model makes of it, says other than TensorFlow did."""
    for record in records:
        name = symbols.ROOT + record["name"]
        if "failed" in record or name.startswith(symbols.ROOT + "compat."):
            continue
        yield from (f"{name}: {what}" for what in _differences(name, record))


def _differences(name: str, record: Mapping[str, Any]) -> Iterator[str]:
    row = behaviour.of(name)
    result = record.get("result")
    if api.is_op(name) and result == "host" and row.result != "structure":
        yield "gives no tensor, and is taken for an operation"
    told = api.result_of(name).kind
    if told in KINDS.values() and result in {*KINDS, "structure"} and KINDS.get(result) != told:
        yield f"gives a {result}, not a {told.value}"
    if told is Kind.TUPLE and record.get("count") != api.result_of(name).count:
        yield f"gives {record.get('count')} members"
    if row.shape is Shape.SAME and record.get("same_shape") is False:
        yield "does not keep the shape"
    if row.dtype is Dtype.SAME and record.get("same_dtype") is False:
        yield "does not keep the dtype"
    if row.dtype in (Dtype.BOOL, Dtype.INT32) and record.get("dtype") not in (
        None,
        row.dtype.value,
    ):
        yield f"gives {record['dtype']}"
