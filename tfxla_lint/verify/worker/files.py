"""What a run writes to files, as nodes: arrays, checkpoints and records by content."""

from __future__ import annotations

import io
import json
import os
import pickle
import re
import zipfile
from typing import Any, Dict, List, Set, Tuple

import numpy as np
import tensorflow as tf

from tfxla_lint.sandbox.inside.nodes import Node, Recorder

Stamps = Dict[str, Tuple[int, int]]
#: So many files are looked at, none larger than so many bytes.
_MOST, _LARGEST = 500, 1 << 25
#: So many are looked for.
_SEEN = 5000
_RECORDS = 2000
#: What names times and places only, and graphs, which a rewrite changes.
_NO_VALUES = re.compile(
    r"(^|/)(checkpoint|fingerprint\.pb|saved_model\.pb|keras_metadata\.pb|metadata\.json)$"
    r"|\.data-\d+-of-\d+$|(^|/)__autograph_generated_file[^/]*$|(^|/)(__pycache__|\.git|\.cache)/"
)
_EVENTS = re.compile(r"(events\.out\.tfevents)\..*?(\.v2)?$")
_IMAGES = re.compile(r"\.(png|jpe?g|bmp|gif)$")


def stamps(folders: List[str]) -> Stamps:
    """When the files below some folders were written, and how large they are."""
    found: Stamps = {}
    for folder in folders:
        for place, inner, names in os.walk(folder):
            # A user's own folder may hold whole environments.
            inner[:] = sorted(n for n in inner if not n.startswith((".", "__pycache__")))
            if len(found) > _SEEN:
                return found
            for name in sorted(names):
                path = os.path.join(place, name)
                if os.path.isfile(path):
                    status = os.stat(path)
                    found[path] = (status.st_mtime_ns, status.st_size)
    return found


def written(folders: List[str], before: Stamps, own: Set[str]) -> Dict[str, Node]:
    """What the files below some folders hold that are not as they were, by relative name."""
    found: Dict[str, Node] = {}
    for path, stamp in sorted(stamps(folders).items()):
        folder = next(f for f in folders if path.startswith(f))
        name = os.path.relpath(path, folder).replace(os.sep, "/")
        if before.get(path) == stamp or _NO_VALUES.search(name) or len(found) >= _MOST:
            continue
        events = _EVENTS.search(name)
        if events:
            name = name[: events.start()] + f"events {sum('events ' in n for n in found) + 1}"
        found[name] = _node(path, stamp[1], own, is_events=bool(events))
    return found


def _node(path: str, size: int, own: Set[str], is_events: bool) -> Node:
    if size > _LARGEST:
        return ("python", "size", size)
    try:
        value = _events(path) if is_events else _content(path)
    except Exception:
        with open(path, "rb") as file:
            value = file.read()
    return Recorder(own).record(value)


def _content(path: str) -> Any:
    """What a file holds, by the ending of its name and by its bytes."""
    name = path.lower()
    if name.endswith((".npy", ".npz")):
        loaded = np.load(path, allow_pickle=False)
        return dict(loaded) if name.endswith(".npz") else loaded
    if name.endswith(".index"):
        return _checkpoint(path[: -len(".index")])
    if name.endswith((".h5", ".hdf5")):
        return _arrays_of_h5(path)
    if name.endswith(".keras"):
        with zipfile.ZipFile(path) as packed:
            parts = {n: packed.read(n) for n in packed.namelist() if n.endswith(".h5")}
        return {n: _arrays_of_h5(io.BytesIO(part)) for n, part in parts.items()}
    if name.endswith((".pkl", ".pickle")):
        with open(path, "rb") as file:
            return pickle.load(file)
    if _IMAGES.search(name):
        # Rounding to whole levels may go either way.
        image = tf.io.decode_image(tf.io.read_file(path), expand_animations=False)
        return (image.numpy() / 255.0).astype(np.float16)
    if re.search(r"\.(tf_?)?rec(ord)?s?\b", name):
        return [
            _example(r) for r in tf.data.TFRecordDataset(path).take(_RECORDS).as_numpy_iterator()
        ]
    with open(path, "rb") as file:
        text = file.read().decode("utf-8")
    if name.endswith(".json"):
        return json.loads(text)
    return Text(text) if "\0" not in text else text


class Text(str):
    """What is compared line by line, numbers within their digits."""


def _checkpoint(prefix: str) -> Dict[str, Any]:
    reader = tf.train.load_checkpoint(prefix)
    names = sorted(reader.get_variable_to_shape_map())
    return {n: reader.get_tensor(n) for n in names if n != "_CHECKPOINTABLE_OBJECT_GRAPH"}


def _arrays_of_h5(file: Any) -> Dict[str, Any]:
    import h5py  # type: ignore[import-untyped]

    found: Dict[str, Any] = {}
    with h5py.File(file, "r") as opened:
        opened.visititems(
            lambda n, part: found.update({n: part[()]}) if isinstance(part, h5py.Dataset) else None
        )
    return found


def _example(record: bytes) -> Any:
    """The features of a record, where it is an example."""
    example = tf.train.Example()
    try:
        example.ParseFromString(record)
    except Exception:
        return record
    features = example.features.feature
    if not features:
        return record
    found: Dict[str, Any] = {}
    for name in sorted(features):
        kind = features[name].WhichOneof("kind")
        values = list(getattr(features[name], kind).value) if kind else []
        found[name] = np.array(values, np.float32) if kind == "float_list" else values
    return found


def _events(path: str) -> List[Any]:
    """What summaries were written: tag, step and value."""
    found = []
    for event in tf.compat.v1.train.summary_iterator(path):
        for value in event.summary.value:
            kind = value.WhichOneof("value")
            number = tf.make_ndarray(value.tensor) if kind == "tensor" else value.simple_value
            found.append([value.tag, event.step, number])
    return found
