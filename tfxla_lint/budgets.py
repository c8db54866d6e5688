"""What is too much to analyse: one budget, and one message."""

from __future__ import annotations

from tfxla_lint.chains import deepest_pattern, longest_chain

#: So many levels of syntax may lie in each other. Each takes several calls of what follows values.
DEEPEST = 1_000
#: So many levels of patterns may; with each the time of LibCST's parse doubles.
DEEPEST_PATTERN = 14
#: So many commas and ends of lines may stand in a file.
LARGEST = 100_000
#: So many calls are followed from where code is traced or run; what lies further on is unknown.
LONGEST_ROUTE = 1_000
#: How many calls may be pending: each level takes some.
PENDING_CALLS = 6 * DEEPEST


class TooMuchError(Exception):
    """A file is not analysed; the message says why."""

    @classmethod
    def of_depth(cls) -> TooMuchError:
        """What is nested too deeply."""
        return cls(f"the file is not analysed: its code is nested more than {DEEPEST} levels deep")

    @classmethod
    def of_pattern(cls) -> TooMuchError:
        """What has a pattern in it that LibCST does not come to the end of."""
        return cls(
            f"the file is not analysed: a pattern is nested more than {DEEPEST_PATTERN} levels deep"
        )

    @classmethod
    def of_size(cls) -> TooMuchError:
        """What is too long."""
        return cls(f"the file is not analysed: it has more than {LARGEST} lines and values")


def check_size(text: str) -> None:
    """Raise TooMuchError where a text is too large to be parsed, a chain in it too long, or a pattern too
    deep."""
    if text.count(",") + text.count("\n") > LARGEST:
        raise TooMuchError.of_size()
    if longest_chain(text, DEEPEST) > DEEPEST:
        raise TooMuchError.of_depth()
    if deepest_pattern(text) > DEEPEST_PATTERN:
        raise TooMuchError.of_pattern()
