"""The TensorFlow 1 to 2 renames that TensorFlow ships for its own upgrade script, as JSON.

python -m tools.harvest renames --python PY --out RAW
"""

from __future__ import annotations

import json

V1 = "tf.compat.v1."


def harvest() -> dict[str, str]:
    """Old name to new name, both without ``tf.``; names that only moved to compat.v1 left out."""
    from tensorflow.tools.compatibility import all_renames_v2

    found: dict[str, str] = {}
    for old, new in all_renames_v2.symbol_renames.items():
        if new and not new.startswith(V1) and old.startswith("tf.") and new.startswith("tf."):
            found[old.removeprefix("tf.")] = new.removeprefix("tf.")
    return found


def main(out: str) -> None:
    with open(out, "w", encoding="utf-8") as stream:
        json.dump(harvest(), stream, indent=0, sort_keys=True)
