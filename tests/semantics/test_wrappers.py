"""Decorators of the program: which ones leave a function as it is."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.semantics.conftest import unit_named
from tfxla_lint.semantics.model import SemanticModel

Build = Callable[[str], SemanticModel]
HEAD = "import functools, time\nimport tensorflow as tf\n"
STEP = "def f(x):\n    return x\nfor i in range(100):\n    f(1)\n"
WRAPPER = """
def timed(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        start = time.time()
        result = function(*args, **kwargs)
        print(function.__name__, time.time() - start)
        return result
    return wrapper
"""
LOOKS = f"import inspect\ndef asked(n, g):\n    return {{}}\n{WRAPPER}".replace(
    "function.__name__", "asked('rate', function)"
)


@pytest.mark.parametrize(
    ("code", "decorator"),
    [
        (WRAPPER, "timed"),
        (WRAPPER.replace("@functools.wraps(function)", ""), "timed"),
        (WRAPPER.replace("function.__name__", "f'{function}:'"), "timed"),
        ("def say(word):\n    def deco(g):\n        def run(*a):\n            print(word)\n"
         "            return g(*a)\n        return run\n    return deco\n", "say('hello')"),
        ("def shown(g):\n    def run(x):\n        if LOUD:\n            return say(g(x))\n"
         "        with timer:\n            return g(x)\n    return run\n", "shown"),
        ("def twice(g):\n    def run(x):\n        g(x)\n        return g(x)\n    return run\n",
         "twice"),
        (LOOKS.format("inspect.signature(g).parameters[n].default"), "timed"),
        (LOOKS.format("g.__code__.co_varnames.index(n)"), "timed"),
        ("KNOWN = {}\ndef register(g):\n    KNOWN[g.__name__] = g\n    return g\n", "register"),
        ("KNOWN = []\ndef named(name):\n    def keep(g):\n        KNOWN.append(g)\n"
         "        return g\n    return keep\n", "named('f')"),
    ],
)  # fmt: skip
def test_it_runs_as_it_stands(build: Build, code: str, decorator: str) -> None:
    model = build(f"{HEAD}{code}@{decorator}\n{STEP}")
    step = unit_named(model, "f")
    assert model.contexts.is_only_eager(step)
    assert len(model.contexts.hot_loops(step)) == 1


@pytest.mark.parametrize(
    ("code", "decorator"),
    [
        (WRAPPER.replace("@functools.wraps(function)", "@tf.function"), "timed"),
        (WRAPPER.replace("@functools.wraps(function)", "@other"), "timed"),
        (WRAPPER.replace("function(*args, **kwargs)", "tf.function(function)(*args)"), "timed"),
        (WRAPPER.replace("return wrapper", "return tf.function(wrapper)"), "timed"),
        (LOOKS.format("KEPT.append(g)"), "timed"),
        (LOOKS.format("g(n)"), "timed"),
        (WRAPPER.replace("    return wrapper", "    keep(function)\n    return wrapper"), "timed"),
        (WRAPPER.replace("    return wrapper", "    keep(wrapper)\n    return wrapper"), "timed"),
        ("KNOWN = {}\ndef register(g):\n    KNOWN['g'] = tf.function(g)\n    return KNOWN['g']\n",
         "register"),
        ("KNOWN = {}\ndef register(g):\n    g = wrap(g)\n    KNOWN['g'] = g\n    return g\n", "register"),
        ("def same(function):\n    keep(function)\n    return function\n", "same"),
        ("def traced(g):\n    h = tf.function(g)\n    def run(x):\n        return h(x)\n"
         "    return run\n", "traced"),
        (WRAPPER, "unknown(timed)"),
        ("def once(g):\n    kept = []\n    def run(x):\n        if not kept:\n"
         "            kept.append(g(x))\n        return kept[0]\n    return run\n", "once"),
        ("def unless(g):\n    def run(x):\n        if x in known:\n            return known[x]\n"
         "        return g(x)\n    return run\n", "unless"),
    ],
)  # fmt: skip
def test_it_may_run_otherwise(build: Build, code: str, decorator: str) -> None:
    model = build(f"{HEAD}{code}@{decorator}\n{STEP}")
    assert not model.contexts.is_only_eager(unit_named(model, "f"))
