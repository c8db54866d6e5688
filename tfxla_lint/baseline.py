"""The findings that a project has come to live with: a file, and what is new beside it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tfxla_lint.fingerprints import Fingerprint
from tfxla_lint.regular import regular_bytes

VERSION = 1
_FIELDS = Fingerprint._fields


class BaselineError(Exception):
    """A file is no baseline."""


@dataclass
class Baseline:
    """How many findings of each fingerprint are known. Paths are relative to the file's folder."""

    counts: Counter[Fingerprint] = field(default_factory=Counter)

    @classmethod
    def of(cls, found: Iterable[Fingerprint]) -> Baseline:
        """The baseline that knows these findings and no others."""
        return cls(Counter(found))

    @classmethod
    def read(cls, path: Path) -> Baseline:
        """The baseline in a file; raises BaselineError."""
        try:
            document = json.loads(regular_bytes(path).decode("utf-8"))
            version = document["version"]
            if version != VERSION:
                raise BaselineError(f"it has version {version}, and this tool reads {VERSION}")
            counts: Counter[Fingerprint] = Counter()
            for row in document["findings"]:
                key = Fingerprint(*(row[name] for name in _FIELDS))
                if not all(isinstance(part, str) for part in key):
                    raise ValueError
                counts[key] += int(row.get("count", 1))
        except OSError as error:
            raise BaselineError(f"cannot read it: {error.strerror or error}") from None
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError):
            raise BaselineError(
                "it is no baseline of tfxla-lint; --write-baseline makes one"
            ) from None
        return cls(counts)

    def as_text(self) -> str:
        """The file's text, a line for each fingerprint, in an order that merges well."""
        rows = []
        for key, count in sorted(self.counts.items()):
            if count > 0:
                row = {**key._asdict(), **({"count": count} if count > 1 else {})}
                rows.append("    " + json.dumps(row, ensure_ascii=True))
        listed = ",\n".join(rows)
        body = f"[\n{listed}\n  ]" if rows else "[]"
        return f'{{\n  "version": {VERSION},\n  "findings": {body}\n}}\n'

    def updated(self, other: Baseline, is_stale: Callable[[str], bool]) -> Baseline:
        """The findings of `other`, and those known here of paths that are not stale."""
        kept = {key: n for key, n in self.counts.items() if not is_stale(key.path)}
        return Baseline(Counter(kept) + other.counts)

    def new_among(
        self, found: Sequence[Fingerprint], is_stale: Callable[[str], bool] = lambda path: False
    ) -> tuple[list[int], int]:
        """The indices of what is not known, and how many known findings of stale paths are no more.

        A finding is the same where rule, path, function and statement are; then, of what is left,
        where its statement went to another function of the file; then, where it went to another
        file, of the same folder first. Stale are paths whose findings are all in `found`, or that are gone.
        """
        left = Counter(self.counts)
        pending = list(range(len(found)))
        for blurred in _BLURS:
            known: dict[tuple[str, ...], list[Fingerprint]] = {}
            for key, count in left.items():
                if blurred in (_exactly, _in_file) or is_stale(key.path):
                    if count > 0:
                        known.setdefault(blurred(key), []).append(key)
            still = []
            for index in pending:
                candidates = known.get(blurred(found[index]))
                if not candidates:
                    still.append(index)
                    continue
                left[candidates[-1]] -= 1
                if left[candidates[-1]] == 0:
                    candidates.pop()
            pending = still
        return pending, sum(n for key, n in left.items() if is_stale(key.path))


def _exactly(key: Fingerprint) -> tuple[str, ...]:
    return tuple(key)


def _in_file(key: Fingerprint) -> tuple[str, ...]:
    return key.path, key.rule, key.statement


def _in_folder(key: Fingerprint) -> tuple[str, ...]:
    return key.path.rpartition("/")[0], key.rule, key.scope, key.statement


def _below(key: Fingerprint) -> tuple[str, ...]:
    return key.path.rpartition("/")[0], key.rule, key.statement


def _anywhere(key: Fingerprint) -> tuple[str, ...]:
    return key.rule, key.scope, key.statement


_BLURS = (_exactly, _in_file, _in_folder, _below, _anywhere)
