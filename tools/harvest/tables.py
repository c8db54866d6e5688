"""Writes the shipped tables from folders of raw results."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from tools.harvest import op_tables, symbol_tables, variants, verdict_table


def having(folders: Sequence[Path], name: str) -> list[Path]:
    """The folders that hold a file of that name, in their order."""
    return [folder for folder in folders if (folder / name).exists()]


def write_all(folders: Sequence[Path], knowledge: Path) -> None:
    """One folder per TensorFlow (and Keras) release; not every one needs every part."""
    inventories = [f / "symbols.json" for f in having(folders, "symbols.json")]
    symbol_tables.write_tables(inventories, knowledge)
    constants = having(folders, "constants.json")
    op_tables.write_table(
        [f / "kernels.json" for f in having(folders, "kernels.json")],
        constants[-1] / "constants.json" if constants else None,
        knowledge,
    )
    for folder in having(folders, "renames.json")[-1:]:
        renames = json.loads((folder / "renames.json").read_text(encoding="utf-8"))
        variants.write(knowledge / "renames.json", renames)
    for folder in having(folders, "prices.json")[-1:]:
        prices = json.loads((folder / "prices.json").read_text(encoding="utf-8"))
        text = json.dumps(prices, indent=1) + "\n"
        (knowledge / "prices.json").write_text(text, encoding="utf-8")
    probed = having(folders, "verdicts.jsonl")
    if probed:
        verdict_table.write_table(probed, knowledge)
