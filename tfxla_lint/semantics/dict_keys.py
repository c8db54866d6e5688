"""Keys of dicts that pass into a trace, or come out of one: TensorFlow sorts them."""

from __future__ import annotations

from tfxla_lint.semantics.values import NUMBERS, Kind, Value, dict_with, with_entries


def key_kind(key: Value) -> Kind:
    """What keys of a dict sort with: numbers with numbers, others with their own kind at most."""
    if key.kind in (*NUMBERS, Kind.BOOL):
        return Kind.FLOAT
    return key.kind if key.kind in (Kind.STRING, Kind.TUPLE, Kind.NONE) else Kind.UNKNOWN


def with_key(value: Value, key: Value, held: Value) -> Value:
    """A dict that holds something under a key, of which perhaps no more than the kind is known."""
    entries = {key.constant: held} if type(key.constant) is str else None
    return with_entries(value, dict_with(held, entries, frozenset({key_kind(key)})))


def keys_clash(value: Value) -> bool:
    """Whether a structure holds a dict whose keys do not sort, as all do that a trace takes or gives."""
    if Kind.OBJECT in value.keys or len(value.keys - {Kind.UNKNOWN}) > 1:
        return True
    held = value.elements or (member for _, member in value.entries or ())
    return any(map(keys_clash, held)) or (value.item is not None and keys_clash(value.item))


def keys_sort(value: Value) -> bool:
    """Whether the keys of every dict in a structure are known to sort."""
    if value.kind is Kind.DICT and value.entries != ():
        if len(value.keys) != 1 or not value.keys <= {Kind.STRING, Kind.FLOAT}:
            return False
    held = value.elements or (member for _, member in value.entries or ())
    return all(map(keys_sort, held)) and (value.item is None or keys_sort(value.item))
