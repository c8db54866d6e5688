"""Which variable of an object is which, where one version's object has more of them."""

from __future__ import annotations

from typing import Dict, List, Optional, Tuple

from tfxla_lint.sandbox.inside.nodes import VARIABLES_LABEL, Node

Parts = Dict[str, Node]


def with_variables_alike(left: Parts, right: Parts) -> Tuple[Parts, Parts]:
    """The parts of two objects, with their numbered variables paired where one has more of them.

    A counter that became a variable stands among the others; it is compared as the attribute that it
    is. What else one has more of is told by dtype and shape, in order.
    """
    ours, theirs = _numbered(left), _numbered(right)
    if len(ours) == len(theirs):
        return left, right
    some = [label for label in ours if not _is_number_in(left, label, right)]
    others = [label for label in theirs if not _is_number_in(right, label, left)]
    if len(some) != len(others):
        found = _in_order([left[n] for n in some], [right[n] for n in others])
        if found is None:
            return left, right
        others = [others[place] for place in found]
    return _only(left, some, some), _only(right, others, some)


def aligned(a: Node, b: Node) -> Node:
    """The second node with the numbered variables of its objects called as those of the first."""
    if a[0] != "branch" or b[0] != "branch":
        return b
    left, right = with_variables_alike(dict(a[2]), dict(b[2]))
    rows = [(n, aligned(left[n], part) if n in left else part) for n, part in right.items()]
    return b[0], b[1], rows


def _numbered(parts: Parts) -> List[str]:
    return [label for label in parts if label.startswith(VARIABLES_LABEL)]


def _is_number_in(parts: Parts, label: str, others: Parts) -> bool:
    """Whether a variable is an attribute that holds something else in the other version."""
    names = (n for n, part in parts.items() if part is parts[label])
    own = [n for n in names if not n.startswith(VARIABLES_LABEL) and n in others]
    return any(others[n][0] != "variable" for n in own)


def _in_order(few: List[Node], many: List[Node]) -> Optional[List[int]]:
    """The places of those of the more that are like the fewer, one after the other."""
    found: List[int] = []
    for node in few:
        rest = range(found[-1] + 1 if found else 0, len(many))
        place = next((i for i in rest if _form(many[i]) == _form(node)), None)
        if place is None:
            return None
        found.append(place)
    return found


def _form(node: Node) -> Tuple[str, Tuple[int, ...]]:
    return node[1], getattr(node[2], "shape", ())


def _only(parts: Parts, kept: List[str], called: List[str]) -> Parts:
    """The parts with these of the numbered variables only, and what those are called."""
    new = dict(zip(kept, called))
    return {
        new.get(label, label): part
        for label, part in parts.items()
        if label in new or not label.startswith(VARIABLES_LABEL)
    }
