"""Decides for each file which rules are on in it, and which of their fixes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tfxla_lint.knowledge.tables import refusal
from tfxla_lint.registry import SYNTAX_ERROR, Catalogue, Selection
from tfxla_lint.settings.errors import SettingsError
from tfxla_lint.settings.layer import Layer
from tfxla_lint.settings.model import Settings
from tfxla_lint.work import LintOptions

_SELECTING = ("select", "extend-select", "ignore", "fixable", "unfixable")


class Planner:
    """Turns settings into the options of each file."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self._profiles: set[Path] = set()
        self._versions: set[tuple[int, int]] = set()
        self._enabled: dict[frozenset[str], frozenset[str]] = {}
        self._sets: dict[Settings, tuple[frozenset[str], frozenset[str]]] = {}

    def options(self, path: Path, settings: Settings, data: bytes | None = None) -> LintOptions:
        """The options for the file `path`, which holds `data` where that is not what lies on disk;
        raises SettingsError for an unknown selector."""
        selected, fixable = self.selected(settings)
        silent: set[str] = set()
        if settings.is_test(path, data):
            silent |= {rule.code for rule in self.catalogue.rules if rule.quiet_in_tests}
        for selector in settings.ignored_in(path):
            silent |= self.catalogue.expand(selector) or frozenset()
        enabled = frozenset((selected - silent) | ({SYNTAX_ERROR} & self.catalogue.codes))
        return LintOptions(
            # Most files have the same rules.
            self._enabled.setdefault(enabled, enabled),
            fixable,
            self._version(settings),
            self._profile(settings),
            settings.may_use_tf_keras,
            settings.layer_of("tf_version") is not None,
            settings.models,
            settings.target.is_open,
        )

    def _profile(self, settings: Settings) -> str | None:
        """The profile's path, once it has been seen that it can be used."""
        path = settings.profile
        if path is None:
            return None
        if path not in self._profiles:
            settings.folders.note(path)
            from tfxla_lint.recording import Recording, RecordingError

            try:
                Recording.read(str(path))
            except RecordingError as error:
                layer = settings.layer_of("profile")
                assert layer is not None
                raise layer.error(f"profile '{layer.profile}': {error}", "profile") from None
            self._profiles.add(path)
        return str(path)

    def _version(self, settings: Settings) -> tuple[int, int] | None:
        """The targeted version; one that is set has to be one that is known."""
        version = _version(settings)
        layer = settings.layer_of("tf_version")
        if version is not None and layer is not None and version not in self._versions:
            reason = refusal(version)
            if reason:
                raise layer.error(f"{reason} ('tf-version')", "tf-version")
            self._versions.add(version)
        return version

    def selected(self, settings: Settings) -> tuple[frozenset[str], frozenset[str]]:
        """The codes that are on before files are told apart, and those whose fixes are."""
        found = self._sets.get(settings)
        if found is None:
            for layer in settings.layers:
                self._check(layer)
            catalogue = self.catalogue
            rules = [_selection(layer, "select", "ignore") for layer in settings.layers]
            fixes = [_selection(layer, "fixable", "unfixable") for layer in settings.layers]
            found = (
                catalogue.select(rules, catalogue.defaults) | ({SYNTAX_ERROR} & catalogue.codes),
                catalogue.select(fixes, catalogue.codes),
            )
            self._sets[settings] = found
        return found

    def _check(self, layer: Layer) -> None:
        for key, selector in _selectors(layer):
            if self.catalogue.expand(selector) is None:
                raise self._unknown(layer, key, selector)

    def _unknown(self, layer: Layer, key: str, selector: str) -> SettingsError:
        nearest = self.catalogue.nearest(selector)
        hint = f"; did you mean '{nearest}'?" if nearest else ""
        shown = f"'{key}'" if layer.is_file else f"--{key}"
        return layer.error(f"unknown rule '{selector}' in {shown}{hint}", key, selector)


def _selection(layer: Layer, select: str, ignore: str) -> Selection:
    extend = layer.extend_select or () if select == "select" else ()
    return Selection(getattr(layer, select), extend, getattr(layer, ignore) or ())


def _selectors(layer: Layer) -> Iterator[tuple[str, str]]:
    for key in _SELECTING:
        for selector in getattr(layer, key.replace("-", "_")) or ():
            yield key, selector
    for _, selectors in layer.per_file_ignores or ():
        for selector in selectors:
            yield "per-file-ignores", selector


def _version(settings: Settings) -> tuple[int, int] | None:
    text = settings.target.version
    if text is None:
        return None
    major, minor = text.split(".")[:2]
    return int(major), int(minor)
