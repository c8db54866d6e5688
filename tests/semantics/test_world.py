"""Modules that are analysed together see each other."""

from __future__ import annotations

import textwrap

import libcst as cst
import pytest

from tests.semantics.conftest import expression, unit_named
from tfxla_lint.project.layout import Layout
from tfxla_lint.semantics.answers import Answers
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.safety.verdict import Safety
from tfxla_lint.semantics.values import Kind
from tfxla_lint.semantics.world import Module, World
from tfxla_lint.source import Source

STEP = """
    import tensorflow as tf

    def step(x):
        return tf.reduce_sum(x) + 1.0
"""


def models(**files: str) -> dict[str, SemanticModel]:
    """A model of each file; `a__b` is the file a/b.py."""
    modules = []
    for key, code in files.items():
        file = key.replace("__", "/") + ".py"
        file = file.replace("/init.py", "/__init__.py")
        text = textwrap.dedent(code).lstrip("\n")
        modules.append(Module.parsed(file, Source(file, text), cst.parse_module(text)))
    world = World(modules, Layout(module.file for module in modules))
    return {key: SemanticModel(world, module) for key, module in zip(files, modules, strict=True)}


@pytest.mark.parametrize(
    "train",
    [
        "from steps import step\nfor i in range(100): step(tf.zeros([3]))",
        "from steps import step as run\nfor i in range(100): run(tf.zeros([3]))",
        "import steps\nfor i in range(100): steps.step(tf.zeros([3]))",
        "import steps as s\nfor i in range(100): s.step(tf.zeros([3]))",
        "from steps import *\nfor i in range(100): step(tf.zeros([3]))",
        "def main():\n    from steps import step\n    while True: step(tf.zeros([3]))\nmain()",
    ],
)
def test_a_step_is_hot_through_every_style_of_import(train: str) -> None:
    world = models(steps=STEP, train="import tensorflow as tf\n" + train)
    step = unit_named(world["steps"], "step")
    assert len(world["steps"].contexts.hot_loops(step)) == 1
    assert world["steps"].contexts.is_only_eager(step)
    assert step.parameters[0].value.kind is Kind.TENSOR


def test_through_the_init_of_a_package() -> None:
    world = models(
        pkg__init="from .steps import step",
        pkg__steps=STEP,
        train="import tensorflow as tf, pkg\nfor i in range(9): pkg.step(tf.ones([2]))",
    )
    step = unit_named(world["pkg__steps"], "step")
    assert world["pkg__steps"].contexts.hot_loops(step)


def test_a_package_that_imports_its_own_modules() -> None:
    world = models(
        pkg__init="from . import steps",
        pkg__steps=STEP,
        train="import tensorflow as tf\nfrom pkg import steps\nfor i in range(9): steps.step(1)",
    )
    step = unit_named(world["pkg__steps"], "step")
    assert world["pkg__steps"].contexts.hot_loops(step)


def test_a_trace_reaches_other_modules() -> None:
    world = models(
        steps=STEP,
        train="""
            import tensorflow as tf
            from steps import step

            @tf.function
            def train(x):
                return step(x)
        """,
    )
    route = world["steps"].contexts.traced(unit_named(world["steps"], "step"))
    assert route is not None
    assert world["steps"].path(route.root) == "train.py"
    assert world["train"].path(route.root) is None


def test_names_go_through_other_modules() -> None:
    world = models(
        compat="import tensorflow as tf\nK = tf.keras",
        train="from compat import tf, K\nimport compat\ntf.zeros([3])\nK.Model()\ncompat.tf.ones(2)",
    )
    model = world["train"]
    names = {model.names.one(call.func) for call in model.nodes(cst.Call)}
    assert names == {"tensorflow.zeros", "tensorflow.keras.Model", "tensorflow.ones"}


def test_classes_derive_from_classes_of_other_modules() -> None:
    world = models(
        base="""
            import tensorflow as tf

            class Base(tf.keras.Model):
                def loss(self, x):
                    return tf.reduce_mean(self(x))
        """,
        net="""
            from base import Base

            class Net(Base):
                pass

            value = Net().loss(1)
        """,
    )
    model = world["net"]
    assert model.value(expression(model, "Net()")).kind is Kind.MODEL
    assert model.value(expression(model, "Net().loss(1)")).kind is Kind.TENSOR


def test_modules_that_import_each_other() -> None:
    world = models(
        a="import tensorflow as tf\nimport b\ndef f(x): return b.g(x)\nf(tf.zeros([1]))",
        b="import a\ndef g(x): return x\ndef h(x): return a.f(x)",
    )
    value = world["a"].value(expression(world["a"], "f(tf.zeros([1]))"))
    assert value.kind is Kind.TENSOR


def test_a_module_can_be_part_of_several_worlds_at_a_time() -> None:
    def module(file: str, text: str) -> Module:
        return Module.parsed(file, Source(file, text), cst.parse_module(text))

    step = module("steps.py", textwrap.dedent(STEP))
    tensors = module("a.py", "import tensorflow as tf, steps\nsteps.step(tf.ones([2]))")
    numbers = module("b.py", "import steps\nsteps.step(3)")
    layout = Layout(["a.py", "b.py", "steps.py"])
    with_tensors = SemanticModel(World([step, tensors], layout), step)
    with_numbers = SemanticModel(World([step, numbers], layout), step)
    alone = SemanticModel(World([step], layout), step)
    units = [unit_named(model, "step") for model in (with_tensors, with_numbers, alone)]
    kinds = [unit.parameters[0].value.kind for unit in units]
    assert kinds == [Kind.TENSOR, Kind.INT, Kind.UNBOUND]
    (edge,) = with_tensors.calls.callers(units[0])
    assert with_tensors.path(edge.node) == "a.py"
    assert not alone.calls.callers(units[2])


def test_what_is_changed_in_another_module_is_no_constant() -> None:
    world = models(
        state="history = []\nscale = 1.0",
        steps="""
            import tensorflow as tf
            from state import history

            def step(x):
                return x * len(history)
        """,
        train="from state import history\nhistory.append(1)",
    )
    model = world["steps"]
    state = model.ask(Safety).state
    scope = unit_named(model, "step").scope
    assert state.is_mutated("history", scope, scope.reads["history"][0])


def test_a_module_that_is_not_there_stays_outside() -> None:
    model = models(train="import steps\nsteps.step(1)")["train"]
    assert model.names.one(expression(model, "steps.step")) == "steps.step"


def test_what_is_kept_for_all_files_knows_of_no_view() -> None:
    model = models(main="x = 1")["main"]
    assert model.ask(_modules) == 1
    with pytest.raises(TypeError, match="closes over"):
        model.ask(lambda world: len(model.nodes(cst.Name)))


def _modules(model: Answers) -> int:
    assert not isinstance(model, SemanticModel)
    return len(model.world.modules)


def test_a_name_that_a_function_of_another_module_binds_anew() -> None:
    config = "import tensorflow as tf\noptimizer = tf.keras.optimizers.Adam()\n"
    renew = "def reset():\n    global optimizer\n    optimizer = tf.keras.optimizers.SGD()\n"
    train = "import config\ndef step(g, v): config.optimizer.apply_gradients([(g, v)])"
    for text, expected in ((config, []), (config + renew, ["changing-python-state"])):
        model = models(config=text, train=train)["train"]
        found = model.ask(Safety).unit_blockers(unit_named(model, "step"))
        assert [b.reason.value for b in found] == expected
