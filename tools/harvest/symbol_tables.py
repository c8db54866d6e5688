"""Merges the inventories of several versions into the shipped symbol and class tables."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tools.harvest import variants
from tools.harvest.variants import Version

STANDALONE = "standalone."
LETTERS = {"module": "M", "opaque": "x", "function": "f"}

Inventory = dict[str, Any]


def version_of(inventory: Inventory) -> Version:
    major, minor = inventory["tensorflow"].split(".")[:2]
    return int(major), int(minor)


def keras_version(inventory: Inventory) -> tuple[int, ...]:
    return tuple(int(part) for part in inventory["keras"].split(".")[:3] if part.isdigit())


def read(paths: Iterable[Path]) -> dict[Version, list[Inventory]]:
    """Inventories by TensorFlow version; several Keras versions of one, oldest Keras first."""
    found: dict[Version, list[Inventory]] = defaultdict(list)
    for path in paths:
        inventory = json.loads(path.read_text(encoding="utf-8"))
        found[version_of(inventory)].append(inventory)
    for inventories in found.values():
        inventories.sort(key=keras_version)
    return dict(sorted(found.items()))


def class_keys(inventory: Inventory) -> dict[str, str]:
    """Qualified class name -> key: the canonical public name, else ``-`` and the place."""
    keys: dict[str, str] = {}
    for symbol in inventory["symbols"].values():
        if symbol["kind"] == "class":
            keys[symbol["class"]] = symbol["canonical"].removeprefix(STANDALONE)
    for place in inventory["classes"]:
        keys.setdefault(place, "-" + place.replace("keras.src.", "keras."))
    return keys


def symbol_record(name: str, symbol: Mapping[str, Any], keys: Mapping[str, str]) -> str:
    canonical = symbol.get("canonical", name)
    if canonical != name and not canonical.startswith(STANDALONE):
        return "=" + str(canonical)
    if symbol["kind"] == "function":
        return "f " + str(symbol["params"])
    if symbol["kind"] == "class":
        key = keys[symbol["class"]]
        return "c" if key == name else "c " + key
    if symbol["kind"] == "constant":
        return ("v " + str(symbol["value"])).rstrip()
    return LETTERS[symbol["kind"]]


#: Constructors that choose another one while they run, which reading their source cannot tell:
#: a model is made from its inputs and outputs, or as a layer.
CONSTRUCTORS = {
    "keras.Model": "m *args **kwargs(activity_regularizer,autocast,dtype,dynamic,input_dim,"
    "input_shape,inputs,name,outputs,trainable)",
}


def class_record(record: Mapping[str, Any], keys: Mapping[str, str]) -> dict[str, str]:
    """One class as ``{member: text}``, with its bases and attributes under names with a colon."""
    found = {":bases": " ".join(keys[base] for base in record["bases"])}
    if record.get("dynamic"):
        found[":open"] = "1"
    attributes = []
    for name, text in record["members"].items():
        if text == "i":
            attributes.append(name)
        elif text.startswith("c "):
            found[name] = "c " + keys[text[2:]]
        else:
            found[name] = text
    if attributes:
        found[":attributes"] = " ".join(sorted(attributes))
    return {name: text for name, text in found.items() if text or not name.startswith(":")}


class Merged:
    """All versions together: name -> version -> record."""

    def __init__(self, inventories: Mapping[Version, list[Inventory]]) -> None:
        self.covered = sorted(inventories)
        self.symbols: dict[str, dict[Version, str]] = defaultdict(dict)
        self.classes: dict[str, dict[str, dict[Version, str]]] = defaultdict(
            lambda: defaultdict(dict)
        )
        self.deprecated: dict[str, dict[Version, list[Any]]] = defaultdict(dict)
        for version, several in inventories.items():
            for inventory in several:
                self.add(version, inventory)

    def add(self, version: Version, inventory: Inventory) -> None:
        keys = class_keys(inventory)
        for name, symbol in inventory["symbols"].items():
            record = symbol_record(name, symbol, keys)
            if record != "x" or version not in self.symbols[name]:
                self.symbols[name][version] = record
        for place, record in inventory["classes"].items():
            members = self.classes[keys[place]]
            for name, text in class_record(record, keys).items():
                members[name][version] = text
            if keys[place] in CONSTRUCTORS:
                members["__init__"][version] = CONSTRUCTORS[keys[place]]
        for name, note in inventory["deprecated"].items():
            self.deprecated[name.removeprefix(STANDALONE)][version] = deprecation(note)

    def pack(self, values: Mapping[Version, Any]) -> Any:
        return variants.pack(values, self.covered)

    def symbol_tables(self) -> dict[str, dict[str, Any]]:
        tables: dict[str, dict[str, Any]] = {
            name: {"symbols": {}} for name in ("api", "keras", "compat_v1", "raw_ops")
        }
        for name, values in self.symbols.items():
            if not name.startswith((STANDALONE, "compat.v1.raw_ops.")):
                tables[table_of(name)]["symbols"][name] = self.pack(values)
        tables["keras"]["standalone"] = self.standalone()
        return tables

    def standalone(self) -> dict[str, Any]:
        """Names of the stand-alone Keras whose entry is not that of `tensorflow.keras`."""
        found: dict[str, Any] = {}
        for name, values in self.symbols.items():
            if not (name + ".").startswith(STANDALONE + "keras."):
                continue
            short = name.removeprefix(STANDALONE)
            if short == "keras" or set(values) - set(self.symbols.get(short, {})):
                found[short] = self.pack(values)
        return found

    def class_tables(self) -> dict[str, dict[str, Any]]:
        tables: dict[str, dict[str, Any]] = {"classes": {}, "keras_classes": {}}
        for key, members in self.classes.items():
            table = "keras_classes" if key.startswith(("keras.", "-keras.")) else "classes"
            have = {v for values in members.values() for v in values}
            tables[table][key] = {
                name: self.pack(values) if set(values) != have else same_or_packed(values, self)
                for name, values in members.items()
            }
        return tables

    def deprecation_table(self) -> dict[str, Any]:
        return {name: self.pack(values) for name, values in self.deprecated.items()}


def same_or_packed(values: Mapping[Version, str], merged: Merged) -> Any:
    """A member that is the same in every version with the class needs no ranges."""
    distinct = set(values.values())
    return distinct.pop() if len(distinct) == 1 else merged.pack(values)


def table_of(name: str) -> str:
    if name == "keras" or name.startswith("keras."):
        return "keras"
    if name.startswith("raw_ops."):
        return "raw_ops"
    return "compat_v1" if name.startswith("compat.v1.") else "api"


def deprecation(note: Mapping[str, Any]) -> list[Any]:
    found: list[Any] = [note.get("advice", ""), note.get("use", "")]
    if note.get("arguments"):
        found.append(note["arguments"])
    return found


def write_tables(paths: Iterable[Path], folder: Path) -> None:
    """Writes every table that comes from inventories."""
    inventories = read(paths)
    merged = Merged(inventories)
    for name, table in (*merged.symbol_tables().items(), *merged.class_tables().items()):
        variants.write(folder / f"{name}.json", table)
    variants.write(folder / "deprecations.json", merged.deprecation_table())
    releases = {
        variants.text_of(version): {
            "tensorflow": several[-1]["tensorflow"],
            "keras": [inventory["keras"] for inventory in several],
        }
        for version, several in inventories.items()
    }
    variants.write(
        folder / "versions.json",
        {"versions": [list(v) for v in merged.covered], "releases": releases},
    )
