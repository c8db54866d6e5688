"""What is kept of each function and loop while the program runs."""

from __future__ import annotations

from typing import Any, NamedTuple

#: The first calls are described in full, later ones more and more rarely.
ALWAYS, PER_INTERVAL = 256, 64
#: How many distinct values of one argument are counted, told apart, and written out.
COUNTED, HASHED, SHOWN = 256, 10_000, 8


class Described(NamedTuple):
    """One value in words; `identity` is 0 where it does not matter which object it is."""

    kind: str
    dtype: str | None
    shape: str | None
    text: str | None
    identity: int


class Distinct:
    """Counts how often each of many values occurred; of too many, only that they differ."""

    __slots__ = ("counts", "hashes")

    def __init__(self) -> None:
        self.counts: dict[Any, int] = {}
        self.hashes: set[int] = set()

    def add(self, key: Any) -> None:
        """Count one occurrence."""
        if key in self.counts:
            self.counts[key] += 1
        elif len(self.counts) < COUNTED:
            self.counts[key] = 1
        elif len(self.hashes) < HASHED:
            self.hashes.add(hash(key))

    def __len__(self) -> int:
        return len(self.counts) + len(self.hashes)

    def to_json(self) -> dict[str, Any]:
        """The number of values, and the commonest of them with their counts."""
        rows = sorted(self.counts.items(), key=lambda row: -row[1])[:SHOWN]
        return {"distinct": len(self), "most": [[key, count] for key, count in rows]}


class Times:
    """Durations: how many, their sum, and a sample of them."""

    __slots__ = ("count", "sample", "total")

    def __init__(self) -> None:
        self.count = 0
        self.total = 0.0
        self.sample: list[float] = []

    def add(self, seconds: float) -> None:
        """Add one duration."""
        if len(self.sample) < 512:
            self.sample.append(seconds)
        elif self.count & 15 == 0:
            self.sample[(self.count >> 4) & 511] = seconds
        self.count += 1
        self.total += seconds

    def to_json(self) -> dict[str, Any]:
        """The count, the sum and the median of the sample."""
        found = sorted(self.sample)
        median = found[len(found) // 2] if found else None
        return {"count": self.count, "total": self.total, "median": median}


class Argument:
    """What one parameter was given."""

    __slots__ = ("dtypes", "kinds", "name", "objects", "shape", "shapes", "values")

    def __init__(self, name: str) -> None:
        self.name = name
        self.kinds, self.dtypes = Distinct(), Distinct()
        self.shapes, self.values, self.objects = Distinct(), Distinct(), Distinct()
        #: What all shapes have in common: None for sizes that differ; none at all where ranks do.
        self.shape: list[int | None] | None = None

    def add(self, described: Described) -> None:
        """Add one value, as `describe` puts it."""
        kind, dtype, shape, text, identity = described
        self.kinds.add(kind)
        if dtype is not None:
            self.dtypes.add(dtype)
        if shape is not None:
            if shape not in self.shapes.counts:
                self.shape = _common(self.shape, _sizes(shape), not self.shapes.counts)
            self.shapes.add(shape)
        if text is not None:
            self.values.add(text)
        if identity:
            self.objects.add(identity)

    def to_json(self) -> dict[str, Any]:
        """The counts of all aspects that occurred."""
        found: dict[str, Any] = {"name": self.name, "kinds": self.kinds.to_json()}
        for aspect in ("dtypes", "shapes", "values"):
            if len(getattr(self, aspect)):
                found[aspect] = getattr(self, aspect).to_json()
        if self.shape is not None:
            found["shape"] = self.shape
        if len(self.objects):
            found["objects"] = len(self.objects)
        return found


def _sizes(shape: str) -> list[int | None] | None:
    """The sizes that the words for a shape name; None where its rank is unknown."""
    if shape == "unknown":
        return None
    return [None if size == "None" else int(size) for size in shape.strip("[]").split(", ") if size]


def _common(
    known: list[int | None] | None, shape: list[int | None] | None, is_first: bool
) -> list[int | None] | None:
    if is_first or known is None or shape is None or len(known) != len(shape):
        return shape if is_first else None
    return [size if size == shape[place] else None for place, size in enumerate(known)]


class Function:
    """One function of the program. `names` are its parameters as they are declared."""

    def __init__(self, path: str, qualname: str, line: int, digest: str, names: list[str]) -> None:
        self.path, self.qualname, self.line, self.digest = path, qualname, line, digest
        self.names = names
        self.eager = self.graph = self.traced = self.symbolic = 0
        self.traces = self.objects = self.compiled = 0
        self.times = {"eager": Times(), "graph": Times(), "tracing": Times()}
        self.arguments: dict[str, Argument] = {}
        self.retraces: dict[tuple[str, str], int] = {}
        self.described = 0
        self.is_cheap = False
        self._calls, self._every = 0, 1

    def is_due(self) -> bool:
        """Whether to look at the arguments of this call: always at first, then ever more rarely."""
        self._calls += 1
        if self._calls > ALWAYS and self._calls % self._every:
            return False
        self.described += 1
        if self.described > ALWAYS and self.described % PER_INTERVAL == 0:
            self._every *= 2
        return True

    def observe(self, signature: dict[str, Described]) -> None:
        """Add the arguments of one call."""
        for name, described in signature.items():
            if name not in self.arguments:
                self.arguments[name] = Argument(name)
            self.arguments[name].add(described)

    def to_json(self) -> dict[str, Any]:
        """What the file says of this function."""
        calls = {"eager": self.eager, "graph": self.graph}
        calls.update(traced=self.traced, symbolic=self.symbolic)
        causes = sorted(self.retraces.items(), key=lambda row: -row[1])
        return {
            "path": self.path,
            "qualname": self.qualname,
            "line": self.line,
            "digest": self.digest,
            "calls": calls,
            "described": self.described,
            "traces": self.traces,
            "tf_functions": self.objects,
            "compiled": self.compiled,
            "retraces": [
                {"argument": name or None, "because": why, "times": times}
                for (name, why), times in causes
            ],
            "seconds": {mode: t.to_json() for mode, t in self.times.items() if t.count},
            "parameters": self.names,
            "arguments": [argument.to_json() for argument in self.arguments.values()],
        }


class Loop:
    """One loop of the program that ran eagerly."""

    def __init__(self, path: str, qualname: str, line: int, digest: str) -> None:
        self.path, self.qualname, self.line, self.digest = path, qualname, line, digest
        self.entries = self.turns = 0
        self.times = Times()
        self.last = 0.0
        self.is_cheap = False

    def to_json(self) -> dict[str, Any]:
        """What the file says of this loop."""
        return {
            "path": self.path,
            "qualname": self.qualname,
            "line": self.line,
            "digest": self.digest,
            "entries": self.entries,
            "turns": self.turns,
            "seconds": self.times.to_json(),
        }
