"""What follows from something is gone through no more often than it has to be."""

from __future__ import annotations

from tfxla_lint.semantics.flow.closure import first

#: 1 leads to 2 and 5, 2 to 3 and 4, 4 back to 1; 6 to 4 and 7.
BELOW = {1: (2, 5), 2: (3, 4), 3: (), 4: (1,), 5: (), 6: (4, 7), 7: ()}
THINGS = {number: f"thing {number}" for number in BELOW}


def below(thing: str) -> list[str]:
    return [THINGS[number] for number in BELOW[int(thing[-1])]]


def test_the_first_answer_is_the_one_that_comes_first_in_order() -> None:
    answers = {THINGS[4]: "late", THINGS[5]: "later"}
    barren: set[int] = set()
    assert first(THINGS[1], below, answers.get, barren) == "late"
    assert first(THINGS[5], below, answers.get, barren) == "later"
    assert barren == set()
    assert first(THINGS[3], below, answers.get, barren) is None
    assert first(THINGS[2], below, answers.get, barren) == "late"


def test_what_has_no_answer_is_asked_once_whatever_leads_there() -> None:
    asked: list[str] = []

    def answer(thing: str) -> str | None:
        asked.append(thing)
        return "found" if thing == THINGS[7] else None

    barren: set[int] = set()
    assert all(first(THINGS[number], below, answer, barren) is None for number in (2, 1, 4))
    assert sorted(asked) == [THINGS[number] for number in (1, 2, 3, 4, 5)]
    assert first(THINGS[6], below, answer, barren) == "found"
    assert asked[5:] == [THINGS[6], THINGS[7]]
