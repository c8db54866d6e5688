"""What ties nodes together, across all modules that are analysed at once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

import libcst as cst

from tfxla_lint.semantics.scopes import Scope

#: The parent of a node, the scope in which the node is evaluated, and how deep the parent stands. What
#: a node holds has it in common, mostly.
Holder: TypeAlias = tuple[cst.CSTNode | None, Scope | None, int]
#: That of a node which was made up.
NOWHERE: Holder = (None, None, 0)


@dataclass(eq=False, slots=True)
class Links:
    """What holds each node, by the node's identity; the blocks of main guards."""

    held: dict[int, Holder] = field(default_factory=dict)
    mains: set[int] = field(default_factory=set)

    def update(self, other: Links) -> None:
        """Add the nodes of another module."""
        self.held.update(other.held)
        self.mains.update(other.mains)

    def parent(self, node: cst.CSTNode) -> cst.CSTNode | None:
        """The node that holds `node`; None for a module, and for what was made up."""
        return self.held.get(id(node), NOWHERE)[0]

    def scope(self, node: cst.CSTNode) -> Scope | None:
        """The scope in which `node` is evaluated; None for what was made up."""
        return self.held.get(id(node), NOWHERE)[1]

    def is_of_main(self, node: cst.CSTNode) -> bool:
        """Whether `node` stands below `if __name__ == "__main__":`, which an import skips."""
        above: cst.CSTNode | None = node if self.mains else None
        while above is not None and id(above) not in self.mains:
            above = self.parent(above)
        return above is not None
