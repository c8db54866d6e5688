"""Which TensorFlow a version specifier asks for: of pip, of Poetry, of conda."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from packaging.specifiers import SpecifierSet
    from packaging.version import Version as Release

Version: TypeAlias = "tuple[int, int]"

_PACKAGE = re.compile(r"(intel-)?tensorflow(-(cpu|gpu|intel|macos|rocm|tpu))?")
#: A built release, as a file or an address names it.
_WHEEL = re.compile(r"(?:^|[\s/])(?P<name>\w+)-(?P<version>\d+(?:\.\d+)+)[^\s/]*\.whl\b")
#: The first release of TensorFlow 2, and what comes before: its predecessor's last one.
FIRST: Version = (2, 0)
_LAST_OF_1 = "1.15.99"
#: What was given up before Keras 3, and the last TensorFlow with which it can be imported.
_ADDONS, _LAST_WITH_ADDONS = "tensorflow-addons", (2, 15)
#: How far its release 0.x is ahead of the oldest 2.x that it works with.
_ADDONS_AHEAD = 10
#: The Keras 2 of its own, whose releases have the numbers of those of TensorFlow.
_KERAS = "keras"
#: The most characters that are read: releases are tried one by one, and nobody writes more.
_LONGEST = 400
_OLDEST, _ENDLESS = "0", "9999"
_NAMED = re.compile("tensorflow|keras", re.IGNORECASE)
_CARET = re.compile(r"\^\s*v?(\d+)([\d.]*)")
_TILDE = re.compile(r"~(?!=)\s*v?(\d+)(\.\d+)?([\d.]*)")
_CONDA = re.compile(r"(?:[\w.-]+::)?(?P<name>[\w.-]+?)(?P<spec>\s*(?:[=<>!~ ].*)?)")
_CONDA_PIN = re.compile(r"=?\s*(?P<version>\d[\d.]*)(?P<any>\*)?(?:[=\s].*)?")


class Asked(NamedTuple):
    """The TensorFlow that a requirement asks for, and whether it takes any newer one as well.

    What `is_last` takes none newer, whatever other requirements allow. What is `of_other` is what
    another package goes with: it counts where no requirement of TensorFlow says which.
    """

    lowest: Version | None
    is_open: bool = False
    is_last: bool = False
    of_other: bool = False


def is_tensorflow(name: str) -> bool:
    """Whether a distribution is TensorFlow itself, in one of its builds."""
    return _PACKAGE.fullmatch(_plain(name)) is not None


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def required(text: str) -> Asked | None:
    """The TensorFlow that a requirement such as `tensorflow>=2.4,<2.14` asks for.

    None where it is no such requirement.
    """
    if not _NAMED.search(text) or len(text) > _LONGEST:
        return None
    wheel = _WHEEL.search(text)
    if wheel is not None and is_tensorflow(wheel.group("name")):
        return Asked(lowest("==" + wheel.group("version")))
    from packaging.requirements import InvalidRequirement, Requirement

    try:
        requirement = Requirement(text.strip())
    except InvalidRequirement:
        return None
    from packaging.version import Version as Release

    name, spec = _plain(requirement.name), requirement.specifier
    is_open = spec.contains(Release(_ENDLESS))
    if name in (_ADDONS, _KERAS):
        return _beside(name, None if is_open else _asked_for(spec))
    return Asked(_asked_for(spec), is_open) if is_tensorflow(name) else None


def _beside(name: str, release: Version | None) -> Asked | None:
    """The oldest TensorFlow that a release of the add-ons, or of Keras 2, goes with."""
    if name == _ADDONS:
        if release is None:
            return Asked(_LAST_WITH_ADDONS, is_last=True)
        oldest = (FIRST[0], max(0, release[1] - _ADDONS_AHEAD))
        return Asked(oldest, is_last=True, of_other=True)
    return Asked(release, of_other=True) if release and release[0] == FIRST[0] else None


def of_conda(text: str) -> Asked | None:
    """The same of a line of a conda environment, which may also be one for pip."""
    match = _CONDA.fullmatch(text.split(" #")[0].strip())
    if match is None or not (is_tensorflow(match.group("name")) or match.group("name") == _KERAS):
        return required(text)
    pin = _CONDA_PIN.fullmatch(match.group("spec").strip())
    spec = f"=={pin.group('version').rstrip('.')}.*" if pin is not None else match.group("spec")
    if match.group("name") == _KERAS:
        return _beside(_KERAS, lowest(spec))
    return Asked(lowest(spec))


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


def _minor(release: Release) -> Version | None:
    """The version that a release is of; None where its numbers are those of no TensorFlow."""
    version = release.major, release.minor
    return version if max(version) <= int(_ENDLESS) else None
