"""Which TensorFlow a version specifier asks for: of pip, of Poetry, of conda."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from packaging.specifiers import SpecifierSet
    from packaging.version import Version as Release

Version: TypeAlias = "tuple[int, int]"

_PACKAGE = re.compile(r"tensorflow(-(cpu|gpu|intel|macos|rocm|tpu))?")
#: The first release of TensorFlow 2, and what comes before: its predecessor's last one.
FIRST: Version = (2, 0)
_LAST_OF_1 = "1.15.99"
#: What was given up before Keras 3, and the last TensorFlow with which it can be imported.
_ADDONS, _LAST_WITH_ADDONS = "tensorflow-addons", (2, 15)
#: The most characters that are read: releases are tried one by one, and nobody writes more.
_LONGEST = 400
_OLDEST, _ENDLESS = "0", "9999"
_CARET = re.compile(r"\^\s*v?(\d+)([\d.]*)")
_TILDE = re.compile(r"~(?!=)\s*v?(\d+)(\.\d+)?([\d.]*)")
_CONDA = re.compile(r"(?:[\w.-]+::)?(?P<name>[\w.-]+?)(?P<spec>\s*(?:[=<>!~ ].*)?)")
_CONDA_PIN = re.compile(r"=?\s*(?P<version>\d[\d.]*)(?P<any>\*)?(?:[=\s].*)?")


class Asked(NamedTuple):
    """The TensorFlow that a requirement asks for, and whether it takes any newer one as well.

    What `is_last` takes none newer, whatever other requirements allow.
    """

    lowest: Version | None
    is_open: bool = False
    is_last: bool = False


def is_tensorflow(name: str) -> bool:
    """Whether a distribution is TensorFlow itself, in one of its builds."""
    return _PACKAGE.fullmatch(_plain(name)) is not None


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def required(text: str) -> Asked | None:
    """The TensorFlow that a requirement such as `tensorflow>=2.4,<2.14` asks for.

    None where it is no such requirement.
    """
    if "tensorflow" not in text.lower() or len(text) > _LONGEST:
        return None
    from packaging.requirements import InvalidRequirement, Requirement

    try:
        requirement = Requirement(text.strip())
    except InvalidRequirement:
        return None
    if _plain(requirement.name) == _ADDONS:
        return Asked(_LAST_WITH_ADDONS, is_last=True)
    if not is_tensorflow(requirement.name):
        return None
    from packaging.version import Version as Release

    is_open = requirement.specifier.contains(Release(_ENDLESS))
    return Asked(_asked_for(requirement.specifier), is_open)


def of_conda(text: str) -> Asked | None:
    """The same of a line of a conda environment, which may also be one for pip."""
    match = _CONDA.fullmatch(text.split(" #")[0].strip())
    if match is None or not is_tensorflow(match.group("name")):
        return required(text)
    pin = _CONDA_PIN.fullmatch(match.group("spec").strip())
    if pin is None:
        return Asked(lowest(match.group("spec")))
    return Asked(lowest("==" + pin.group("version").rstrip(".") + ".*"))


def lowest(spec: str, *, bare_is_exact: bool = False) -> Version | None:
    """The lowest TensorFlow 2 that a specifier allows, else the lowest TensorFlow 1.

    With an upper limit alone it is the newest below that; None where there is no limit. `^`, `~`
    and `||` are read as Poetry does, and so is a bare version where it `is_exact`.
    """
    found = [v for part in re.split(r"\|+", spec) if (v := _of_part(part, bare_is_exact))]
    return min((v for v in found if v >= FIRST), default=min(found, default=None))


def _of_part(spec: str, bare_is_exact: bool) -> Version | None:
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    text = spec.strip().strip("()")
    if len(text) > _LONGEST:
        return None
    text = _CARET.sub(r">=\1\2,==\1.*", text)
    text = _TILDE.sub(lambda m: f">={m[1]}{m[2] or ''}{m[3]},=={m[1]}{m[2] or ''}.*", text)
    text = re.sub(r"(?<=[\w*])\s+(?=[<>=!~])", ",", text)
    if bare_is_exact and text[:1].isdigit():
        text = "==" + text
    try:
        return _asked_for(SpecifierSet(text))
    except InvalidSpecifier:
        return None


def _asked_for(spec: SpecifierSet) -> Version | None:
    from packaging.version import Version as Release

    allowed = sorted(r for r in _around(spec) if spec.contains(r, prereleases=True))
    is_open_below = spec.contains(Release(_OLDEST))
    if not allowed or (is_open_below and spec.contains(Release(_ENDLESS))):
        return None
    if is_open_below:
        return _minor(allowed[-1]) if allowed[-1] < Release(_ENDLESS) else None
    return _minor(next((r for r in allowed if r.major >= FIRST[0]), allowed[0]))


def _around(spec: SpecifierSet) -> Iterator[Release]:
    """Releases at the ends of what a specifier allows: at its versions, behind and before them."""
    from packaging.version import InvalidVersion
    from packaging.version import Version as Release

    for part in spec:
        try:
            at = Release(part.version.removesuffix(".*"))
        except InvalidVersion:
            continue
        major, minor, patch = at.major, at.minor, at.micro
        yield at
        yield from map(Release, (f"{major}.{minor}.{patch + 1}", f"{major}.{minor + 1}.0"))
        yield Release(f"{major + 1}.0")
        if patch:
            yield Release(f"{major}.{minor}.{patch - 1}")
        elif minor:
            yield Release(f"{major}.{minor - 1}.99")
        elif major == FIRST[0]:
            yield Release(_LAST_OF_1)


def _minor(release: Release) -> Version:
    return release.major, release.minor
