"""Writes what is made of the settings: the table of docs/settings.md, and the JSON schema.

python -m tools.write_settings
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from tfxla_lint.links import SITE
from tfxla_lint.settings.layer import Layer, described
from tfxla_lint.settings.model import Settings

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "settings.md"
SCHEMA = ROOT / "docs" / "tfxla-lint.schema.json"
_BEGIN, _END = "<!-- made by tools/write_settings.py -->\n", "<!-- end -->\n"


def table() -> str:
    """A row for each setting."""
    rows = ["| key | type | default | what |", "|---|---|---|---|"]
    bare = Settings(ROOT, (Layer(ROOT),))
    for item in described():
        default = item.default
        if item.type == "boolean":
            default = f"`{str(getattr(bare, item.key.replace('-', '_'))).lower()}`"
        rows.append(f"| `{item.key}` | {item.type} | {default} | {item.what} |")
    return "".join(f"{row}\n" for row in rows)


def page(text: str) -> str:
    """The page of the settings with the table in its place."""
    before, _, rest = text.partition(_BEGIN)
    _, end, after = rest.partition(_END)
    if not end:
        raise SystemExit(f"{PAGE} has no place for the table")
    return f"{before}{_BEGIN}\n{table()}\n{_END}{after}"


def schema() -> str:
    """The JSON schema of `tfxla-lint.toml`, and of the table in `pyproject.toml`."""
    properties = {item.key: {**item.schema, "description": item.what} for item in described()}
    document = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": f"{SITE}/tfxla-lint.schema.json",
        "title": "tfxla-lint",
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
    }
    return json.dumps(document, indent=2) + "\n"


def main() -> int:
    """Write both."""
    PAGE.write_text(page(PAGE.read_text("utf-8")), "utf-8")
    SCHEMA.write_text(schema(), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
