"""What the commands of a notebook say of the TensorFlow that it is for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tfxla_lint.settings.specifiers import FIRST, Asked, of_conda

_INSTALL = re.compile(
    r"^[ \t]*[!%]{0,2}[ \t]*(?:sudo +|uv +|[\w./{}-]+ +-m +)?[\w./-]*(?:pip3?|conda|mamba)[ \t]+install[ \t](.*)",
    re.MULTILINE,
)
#: What `%tensorflow_version 1.x` chooses.
_LAST_OF_1 = 15
_CHOSEN = re.compile(r"^[ \t]*%tensorflow_version[ \t]+(\d{1,4})\.(\d{1,4}|x)(?!\d)", re.MULTILINE)


def told_version(codes: Sequence[str]) -> tuple[int, int] | None:
    """The lowest TensorFlow that the cells install or choose, None where they do neither."""
    asked = [asked for code in codes for asked in _versions(code)]
    own = [one.lowest for one in asked if not one.of_other]
    found = [version for version in own or [one.lowest for one in asked] if version is not None]
    return min((v for v in found if v >= FIRST), default=min(found, default=None))


def _versions(code: str) -> Iterator[Asked]:
    for match in _CHOSEN.finditer(code):
        if match.group(1) == "1" or match.group(2) != "x":
            minor = match.group(2)
            yield Asked((int(match.group(1)), int(minor) if minor != "x" else _LAST_OF_1))
    # Most cells install nothing, and to look at each of their lines takes longer than to see that.
    for match in _INSTALL.finditer(code) if "install" in code else ():
        for word in re.findall(r"\"[^\"]*\"|'[^']*'|\S+", match.group(1)):
            asked = of_conda(word.strip("\"'"))
            if asked is not None and asked.lowest is not None:
                yield asked
