"""What the tables know about one name, in words: the body of `tfxla-lint facts NAME`."""

from __future__ import annotations

from typing import Any

from tfxla_lint.knowledge import near, ops, symbols, tables, xla
from tfxla_lint.knowledge.parameters import render
from tfxla_lint.knowledge.symbols import Symbol
from tfxla_lint.knowledge.tables import Version
from tfxla_lint.knowledge.xla import Mode, Verdict

Fact = tuple[str, str]
#: That of the JSON.
_VERSION = 1

_HAZARDS = {
    "nan": "other results after a NaN",
    "range": "out of range raises uncompiled, passes silently under XLA",
    "zero": "zero raises uncompiled, passes silently under XLA",
}

_PREFIXES = ("tensorflow.", "tensorflow.keras.", "tensorflow.raw_ops.", "tensorflow.compat.v1.")


def describe(name: str, version: Version | None = None) -> list[Fact]:
    """Pairs of a label and what is known; a label may be repeated. Never empty.

    `name` may be short (`reduce_mean`, `layers.Dense`), start with ``tf.``, or name an op.
    """
    full = resolve(name, version)
    symbol = symbols.find(full, version) if full else None
    if symbol is None:
        return _op(name, version) or _absent(name, version)
    facts = [("name", _show(symbol.name)), *_identity(symbol), *_lifetime(symbol)]
    facts += _deprecation(symbol)
    verdict = xla.verdict(symbol.name, version or symbol.until)
    facts += _verdict(verdict) if verdict else [("xla", "unknown: no call of it was compiled")]
    return facts


def as_json(facts: list[Fact]) -> dict[str, Any]:
    """The facts as `facts --output-format json` prints them."""
    rows = [{"label": label, "value": value} for label, value in facts]
    return {"version": _VERSION, "facts": rows}


def unknown(name: str, facts: list[Fact]) -> str:
    """What is said of a name that there is not."""
    exists = next(value for label, value in facts if label == "exists")
    near = [value for label, value in facts if label == "near"]
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    return f"'{name}' is {exists}{hint}"


def resolve(name: str, version: Version | None = None) -> str | None:
    """The full name that a user's spelling means, None where there is no such name."""
    name = name.strip().removesuffix("()")
    if name.startswith("tf."):
        name = "tensorflow." + name.removeprefix("tf.")
    candidates = [name] if name.startswith(("tensorflow.", "keras.")) else []
    candidates += [prefix + name for prefix in _PREFIXES]
    return next((c for c in candidates if symbols.exists(c, version)), None)


def _show(name: str) -> str:
    return "tf." + name.removeprefix(symbols.ROOT) if name.startswith(symbols.ROOT) else name


def _text(version: Version) -> str:
    return f"{version[0]}.{version[1]}"


def _identity(symbol: Symbol) -> list[Fact]:
    facts: list[Fact] = [("kind", symbol.kind)]
    if symbol.canonical != symbol.name:
        facts.append(("same as", _show(symbol.canonical)))
    if symbol.kind in ("function", "method", "class"):
        facts.append(("parameters", f"({render(symbol.params)})"))
    for param in symbol.params or ():
        if param.known:
            facts.append((f"also takes (**{param.name})", ", ".join(sorted(param.known))))
    if symbol.value:
        facts.append(("value", symbol.value))
    return facts


def _lifetime(symbol: Symbol) -> list[Fact]:
    oldest, newest = tables.covered()[0], tables.newest()
    if len(symbol.versions) == len(tables.covered()):
        return [("exists", f"in every covered version ({_text(oldest)} to {_text(newest)})")]
    listed = ", ".join(_text(v) for v in sorted(symbol.versions))
    covered = ", ".join(_text(v) for v in tables.covered())
    return [("exists", f"in {listed} (of the covered {covered})")]


def _deprecation(symbol: Symbol) -> list[Fact]:
    facts: list[Fact] = []
    if symbol.deprecated is not None:
        facts.append(("deprecated", symbol.deprecated))
    if symbol.replacement:
        facts.append(("replacement", _show(symbol.replacement)))
    for argument, use in symbol.deprecated_arguments.items():
        facts.append(("deprecated argument", f"{argument}: {use}"))
    return facts


def _verdict(verdict: Verdict) -> list[Fact]:
    where = " and ".join(verdict.devices)
    how = f"{verdict.source}, TensorFlow {_text(verdict.version)}"
    facts: list[Fact] = [("xla", f"{_summary(verdict)} on {where} ({how}); TPU unknown")]
    if verdict.dynamic_shape:
        facts.append(("xla shape", "the result's shape depends on data"))
    for argument, inputs in verdict.const_args.items():
        facts.append(
            ("xla constant", f"{argument}: compiled again for every value ({', '.join(inputs)})")
        )
    if verdict.differs:
        facts.append(("xla result", verdict.differs))
    if verdict.checks:
        facts.append(("xla checks", f"dropped silently: {', '.join(verdict.checks)}"))
    for hazard, arguments in verdict.hazards.items():
        facts.append(("xla hazard", f"{_HAZARDS[hazard]} ({', '.join(arguments)})"))
    if verdict.gradient_ops:
        facts.append(("xla gradient", f"no kernel for {', '.join(verdict.gradient_ops)}"))
    elif verdict.gradient_reason:
        facts.append(("xla gradient", verdict.gradient_reason))
    return facts + [("xla mode", _mode(mode)) for mode in verdict.modes]


def _summary(verdict: Verdict) -> str:
    if verdict.status == "unsupported":
        return f"unsupported, no kernel for {', '.join(verdict.ops)}"
    if verdict.status in ("fails", "untraceable"):
        return f"{verdict.status}: {verdict.reason}"
    return "makes no operation" if verdict.status == "no-ops" else "compiles"


def _mode(mode: Mode) -> str:
    condition = ", ".join(f"{name}={value}" for name, value in mode.arguments.items())
    detail = ", ".join(mode.ops) or mode.reason
    return f"{condition}: {mode.status}" + (f" ({detail})" if detail else "")


def _op(name: str, version: Version | None) -> list[Fact]:
    if not ops.known(name, version):
        return []
    facts: list[Fact] = [("op", name)]
    for device in ops.DEVICES:
        has = ops.has_kernel(name, device, version)
        facts.append((f"xla kernel on {device}", "yes" if has else "no"))
    constants = ops.constant_inputs(name)
    if constants:
        facts.append(("compile-time-constant inputs", ", ".join(constants)))
    return facts


def _absent(name: str, version: Version | None) -> list[Fact]:
    full = symbols.ROOT + name.removeprefix("tf.").removeprefix(symbols.ROOT)
    if not symbols.missing(full, version):
        return [("name", name), ("exists", "unknown: not in a public module of TensorFlow")]
    elsewhere = symbols.find(full)
    if elsewhere is not None:
        return [("name", _show(full)), *_lifetime(elsewhere)]
    at = f"TensorFlow {_text(version)}" if version else "any covered version"
    facts: list[Fact] = [("name", _show(full)), ("exists", f"not in {at}")]
    return facts + [("near", _show(other)) for other in near.near(full, version)]
