"""What ties nodes together, across all modules that are analysed at once."""

from __future__ import annotations

from dataclasses import dataclass, field

import libcst as cst

from tfxla_lint.semantics.scopes import Scope


@dataclass(eq=False, slots=True)
class Links:
    """The parent and the scope of each node, by the node's identity; the blocks of main guards."""

    parents: dict[int, cst.CSTNode] = field(default_factory=dict)
    scopes: dict[int, Scope] = field(default_factory=dict)
    mains: set[int] = field(default_factory=set)

    def update(self, other: Links) -> None:
        """Add the nodes of another module."""
        self.parents.update(other.parents)
        self.scopes.update(other.scopes)
        self.mains.update(other.mains)

    def is_of_main(self, node: cst.CSTNode) -> bool:
        """Whether `node` stands below `if __name__ == "__main__":`, which an import skips."""
        above: cst.CSTNode | None = node if self.mains else None
        while above is not None and id(above) not in self.mains:
            above = self.parents.get(id(above))
        return above is not None
