"""Examples that the user declared in comments: `# tfxla-lint: verify train_step(tf.ones([4, 3]))`.

Such a comment may stand anywhere in the file, on one line. Its call is evaluated in the module, so
it needs no import of its own; `Trainer(4).step(tf.ones([2, 4]))` makes one object for all calls.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize

from tfxla_lint.verify.trees import UNPARSED

_COMMENT = re.compile(r"#\s*tfxla-lint\s*:\s*verify\s+(?P<call>.+)$")


def declared_examples(text: str) -> dict[str, list[str]]:
    """The declared calls, by the qualified name of the function that they call."""
    found: dict[str, list[str]] = {}
    if "tfxla-lint" not in text:
        return found
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, SyntaxError):
        return found
    for token in tokens:
        match = _COMMENT.match(token.string) if token.type == tokenize.COMMENT else None
        if match is not None:
            call = match["call"].strip()
            found.setdefault(called_name(call), []).append(call)
    return found


def called_name(text: str) -> str:
    """The qualified name that an example calls: "f", "Trainer.step"; empty where it is no call."""
    try:
        node = ast.parse(text, mode="eval").body
    except UNPARSED:
        return ""
    if not isinstance(node, ast.Call):
        return ""
    function = node.func
    if isinstance(function, ast.Name):
        return function.id
    if isinstance(function, ast.Attribute):
        owner = function.value
        while isinstance(owner, ast.Call):
            owner = owner.func
        name = owner.id if isinstance(owner, ast.Name) else ""
        return f"{name}.{function.attr}" if name else function.attr
    return ""
