"""What ties nodes together, across all modules that are analysed at once."""

from __future__ import annotations

from dataclasses import dataclass, field

import libcst as cst

from tfxla_lint.semantics.scopes import Scope


@dataclass(eq=False, slots=True)
class Links:
    """The parent and the scope of each node, by the node's identity."""

    parents: dict[int, cst.CSTNode] = field(default_factory=dict)
    scopes: dict[int, Scope] = field(default_factory=dict)

    def update(self, other: Links) -> None:
        """Add the nodes of another module."""
        self.parents.update(other.parents)
        self.scopes.update(other.scopes)
