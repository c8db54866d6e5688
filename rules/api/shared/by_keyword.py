"""Calls with the names of what their arguments are for."""

from __future__ import annotations

from collections.abc import Mapping

import libcst as cst


def by_keyword(call: cst.Call, names: Mapping[int, str]) -> cst.Call:
    """The call with names for some of its arguments, by their places."""
    close = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
    args = [
        a.with_changes(keyword=cst.Name(names[place]), equal=close) if place in names else a
        for place, a in enumerate(call.args)
    ]
    return call.with_changes(args=args)
