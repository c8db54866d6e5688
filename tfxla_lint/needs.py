"""What a rule needs the code to hold, so that it may report anything: held against its words alone.

A rule that needs nothing may report in any file. What it needs is a row of groups, each a text of
words, with `|` between, of which the code has to have one, as `words_of` gives them: `.fit` where an
attribute is read or something imported by that name, `import tensorflow` where that is imported, `for` for
a keyword or any other name. `@loops` is a set of them, and
`@target` the project's saying which TensorFlow it targets, which is no word of the code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import TypeAlias

from tfxla_lint.knowledge import behaviour, renamed, tables
from tfxla_lint.knowledge.behaviour import Runs, Trait, Word
from tfxla_lint.project.words import PRIVATE

#: What stands for a target among the words.
TARGET = "@target"
_PACKAGES = ("tensorflow", "keras")
_Words: TypeAlias = "Callable[[], Iterable[str]]"
#: What a word that begins with @ stands for.
SETS: dict[str, _Words] = {}


def are_met(needs: Sequence[str], words: frozenset[str]) -> bool:
    """Whether code of these words holds what a rule needs."""
    return all(any(_has(word, words) for word in group.split("|")) for group in needs)


def _has(word: str, words: frozenset[str]) -> bool:
    if word[0] != "@" or word == TARGET:
        return word in words
    if word in ("@imported", "@tensorflow") and _imports_package(words):
        return True
    if word == "@tensorflow" and PRIVATE in words:
        # What imports Keras' own modules and nothing public is Keras itself, where use tells nothing.
        return False
    return not words.isdisjoint(_members(word))


@lru_cache(maxsize=4)
def _imports_package(words: frozenset[str]) -> bool:
    """Whether something is imported from TensorFlow, from Keras, or from what is built on them."""
    roots = [word for word in words if word.startswith("import ")]
    return any(package in root for root in roots for package in _PACKAGES)


@cache
def _members(word: str) -> frozenset[str]:
    return frozenset(SETS[word]())


def _called(name: str) -> Callable[[_Words], _Words]:
    """Enter what gives words under the name that they have together."""

    def enter(words: _Words) -> _Words:
        SETS[name] = words
        return words

    return enter


@_called("@imported")
def _nothing() -> Iterable[str]:
    """Something of TensorFlow that is known by its name: any import tells."""
    return ()


@_called("@tensorflow")
def _by_use() -> Iterator[str]:
    """The same, or what shows what a thing is that nothing else is known of."""
    yield "training"
    for trait in (Trait.GIVES_AWAY, Trait.SUGGESTS):
        yield from _read(behaviour.methods(trait))


@_called("@loops")
def _loops() -> Iterator[str]:
    """What runs code many times in Python: loops, comprehensions, what calls what it is given."""
    yield from ("for", "while")
    yield from _named(Trait.LOOPS, Runs.TRACED)
    # Some of these are methods that a class defines.
    yield from (word.removeprefix(".") for word in _named(Trait.TURNED))


@_called("@tracing")
def _tracing() -> Iterator[str]:
    """What has code traced: `tf.function`, Keras, and what is handed a function."""
    yield ".function"
    yield from _named(Runs.TRACED)
    yield from _keras_loops()
    yield from behaviour.methods(Trait.TRACED_STEP)
    yield from _read(_giving("keras_tensor"))


@_called("@keras-loops")
def _keras_loops() -> Iterator[str]:
    """What has Keras run a loop: all that traces what no import shows to be TensorFlow's."""
    return _read(behaviour.methods(Trait.KERAS_LOOP))


@_called("@batches")
def _batches() -> Iterator[str]:
    return _named(Trait.BATCHES)


@_called("@datasets")
def _datasets() -> Iterator[str]:
    return _read(behaviour.methods(Trait.GIVES_AWAY, "dataset"))


@_called("@optimizers")
def _optimizers() -> Iterator[str]:
    return _read(behaviour.methods(Trait.GIVES_AWAY, "optimizer"))


@_called("@switches")
def _switches() -> Iterator[str]:
    return _named(Trait.EAGER_SWITCH)


@_called("@renamed-methods")
def _renamed_methods() -> Iterator[str]:
    return _last((*renamed.METHODS, *renamed.ATTRIBUTES))


@_called("@renamed")
def _renamed() -> Iterator[str]:
    """What goes by a new name, or has arguments that do."""
    return _last((*renamed.ARGUMENTS, *renamed.FUNCTIONS, *renamed.METHODS))


def _giving(kind: str) -> Iterator[str]:
    """The last names of what gives something of a kind, or a list of such."""
    for name, record in tables.load("behaviour").items():
        if kind in (record.get("result"), record.get("of")):
            yield name.rpartition(".")[2]


def _named(*words: Word) -> Iterator[str]:
    """Functions and methods by their last names, as they are read or imported."""
    for word in words:
        yield from _last(behaviour.names(word))
        yield from _read(behaviour.methods(word))


def _last(names: Iterable[str]) -> Iterator[str]:
    return _read(name.rpartition(".")[2] for name in names)


def _read(names: Iterable[str]) -> Iterator[str]:
    return (f".{name}" for name in names)
