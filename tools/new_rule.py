"""Lays out a new rule: its file, its test data, and what is left to write.

python -m tools.new_rule TXL199 my-rule --family eager

It lays out one file. Where finding and fixing take more than about 150 lines, or a question is
asked that no other rule asks, make it a folder: rules/FAMILY/my_rule/ with `rule.py` (the class),
`detect.py` and `fix.py`, and an empty `__init__.py`. What several rules of a family ask, and nobody
else, lies in rules/FAMILY/shared/.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from tfxla_lint.registry import Catalogue, read_catalogue
from tfxla_lint.rule import FAMILIES

ROOT = Path(__file__).parents[1]
CASES = ("first_bad", "second_bad", "first_good", "second_good")

RULE = '''"""{code}."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.rule import Report, Rule
from tfxla_lint.semantics.model import SemanticModel


class {class_name}(Rule):
    """## What it does
    Finds ...

    ## Why is this bad?
    ...

    ## Example
    ```python
    import tensorflow as tf
    ```

    ## Use instead
    ```python
    import tensorflow as tf
    ```

    ## References
    - [...](https://www.tensorflow.org/guide/...)
    """

    code = "{code}"
    name = "{name}"
    summary = "..."
    needs = ()

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """..."""
        for call in model.nodes(cst.Call):
            if model.names.one(call.func) == "tensorflow...":
                yield Report(call, "...")
'''

LEFT = """\
Left to do:
1. the page, the summary and `check` in {rule}; a level other than warning as `level = Level....`,
   and as `needs` the words without which it says nothing (`tfxla_lint/needs.py`)
2. bad and good programs in {folder}, each with a first line that names
   the mechanism it pins; a `NAME_fixed.py` beside each bad one that a fix changes (then
   `fixes = (Applicability....,)` in the rule, and "## Fix safety" on its page)
3. python -m tests.rules.update {stem}
4. python -m pytest -q tests/rules -k "{code} or {stem}"
5. run it over real projects, and read what it says
"""


class Unfit(Exception):
    """The new rule cannot be called that."""


def check_words(code: str, name: str, family: str | None, catalogue: Catalogue) -> str:
    """The family of a new rule. Raises Unfit where its code or name will not do."""
    if not re.fullmatch(r"TXL\d{3}", code):
        raise Unfit(f"'{code}' is no code: TXL and three digits")
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", name):
        raise Unfit(f"'{name}' is no name: small letters and hyphens, two words at least")
    own = FAMILIES.get(code[3])
    if own is None:
        raise Unfit(f"no family has codes TXL{code[3]}..")
    if family is not None and family != own:
        raise Unfit(f"TXL{code[3]}.. is the family {own}, not {family}")
    for word in (code, name):
        if catalogue.find(word) is not None:
            raise Unfit(f"there is a rule {word} already")
    return own


def lay_out(code: str, name: str, family: str, root: Path) -> list[Path]:
    """Write the files of a new rule below `root`; those that were written."""
    stem = name.replace("-", "_")
    class_name = "".join(word.capitalize() for word in name.split("-"))
    rule = root / "rules" / family / f"{stem}.py"
    folder = root / "testdata" / family / stem
    texts = {rule: RULE.format(code=code, name=name, class_name=class_name)}
    texts |= {folder / f"{case}.py": "import tensorflow as tf\n" for case in CASES}
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    return list(texts)


def main(arguments: Sequence[str] | None = None, root: Path = ROOT) -> int:
    """Lay out the rule that the arguments name."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.new_rule",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("code", help="a free code, such as TXL199")
    parser.add_argument("name", help="what is wrong, not what to do: host-sync-in-loop")
    parser.add_argument("--family", choices=sorted(FAMILIES.values()))
    given = parser.parse_args(arguments)
    try:
        family = check_words(given.code, given.name, given.family, read_catalogue())
        paths = lay_out(given.code, given.name, family, root)
    except (Unfit, FileExistsError) as error:
        print(error, file=sys.stderr)
        return 2
    for path in paths:
        print(path.relative_to(root).as_posix())
    rule, folder = paths[0].relative_to(root), paths[1].parent.relative_to(root)
    print()
    print(LEFT.format(rule=rule, folder=folder, code=given.code, stem=rule.stem), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
