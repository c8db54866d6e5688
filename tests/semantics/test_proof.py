"""What is proved of a step before `--fix` traces it, and what is named where a proof is missing."""

from __future__ import annotations

import libcst as cst
import pytest

from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.safety.conditions import Condition, Gap
from tfxla_lint.semantics.safety.proof import unit_gaps
from tfxla_lint.source import Source

from .conftest import unit_named

PROGRAM = """\
import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.1)
data = tf.data.Dataset.from_tensor_slices((tf.ones([800, 4]), tf.ones([800, 1]))).batch(4)
scale = 2.0


def first(of: print("defined")):
    return tf.identity(of)


def eased(trained_by):
    trained_by.momentum = 0.5


def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(scale * model(x, training=True) - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


for x, y in data:
    print(float(train_step(x, y)))
"""

STATE = Condition.STATE
#: What is written instead of what, and the condition that is not proved then.
CHANGES = [
    ("train_step(x, y))", "train_step(x.numpy(), y))", Condition.ARGUMENTS),
    ("train_step(x, y))", "train_step(*(x, y)))", Condition.ARGUMENTS),
    ("    print(float(train_step(x, y)))", "    run(train_step)", Condition.CALLERS),
    ("for x, y in data:", "handlers = [train_step]\nfor x, y in data:", Condition.CALLERS),
    ("layers.Dense(1)", "layers.Dropout(0.5)", Condition.DRAWS),
    ("layers.Dense(1)", "layers.LSTM(1, recurrent_dropout=0.1)", Condition.DRAWS),
    ("layers.Dense(1)", "layers.Lambda(lambda v: v)", Condition.DRAWS),
    ("layers.Dense(1)", "layers.Dense(1, activation=made())", Condition.DRAWS),
    ("layers.Dense(1)", "layers.Dense(1, activation=tf.math.log)", Condition.DRAWS),
    *(
        (
            "model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(1)])",
            f"def scaled(h):\n    return 2.0 * h\n\n\nraw = tf.keras.Input([4])\n"
            f"model = tf.keras.Model(raw, {made})",
            Condition.DRAWS,
        )
        for made in (
            "tf.keras.layers.Dense(1)(raw) - 3.0",
            "tf.keras.ops.log(tf.keras.layers.Dense(1)(raw))",
            "tf.math.log(tf.keras.layers.Dense(1)(raw))",
            "scaled(tf.keras.layers.Dense(1)(raw))",
            "scaled(*[tf.keras.layers.Dense(1)(raw)])",
            "tf.keras.layers.Maximum()([raw, tf.keras.layers.Dense(4)(raw)])",
        )
    ),
    ("layers.Dense(1)", "layers.Rescaling(2.0), tf.keras.layers.Rescaling(0.1)", Condition.DRAWS),
    ("layers.Dense(1)", 'layers.Dense(1, dtype="bfloat16")', Condition.EFFECTS),
    ("layers.Dense(1)", 'layers.Dense(1, "gelu")', Condition.EFFECTS),
    (
        "scale = 2.0",
        "scale = 2.0\nif float(model(tf.ones([1, 4]))[0, 0]) < 3.0:\n    scale = 2.0",
        Condition.PLAIN,
    ),
    (
        "for x, y in data:",
        "if str(scale) == 'nan':\n    raise SystemExit\nfor x, y in data:",
        Condition.PLAIN,
    ),
    ("tf.keras.Sequential([", "tf.keras.models.load_model([", Condition.DRAWS),
    ("scale * model", "tf.random.normal([]) * model", Condition.DRAWS),
    ("- y))", "- y)) / x.shape[0]", Condition.SHAPES),
    ("    return loss", "    return loss, x.shape", Condition.SHAPES),
    ("    return loss", "    return 3", Condition.RESULTS),
    ("    return loss", "    return loss * float(len(optimizer.variables))", Condition.STATE),
    ("    return loss", "    return {'loss': loss, 'rows': 3}", Condition.RESULTS),
    ("scale = 2.0", "scale = np.ones([1])", Condition.STATE),
    ("scale = 2.0", "import lib\nscale = lib.made()\nscale.assign(2.0)", Condition.ARGUMENTS),
    ("    with tf.", "    variables = model.weights\n    with tf.", Condition.STATE),
    (
        "for x, y in data:\n    print(",
        "for x, y in data:\n  try:\n    print(",
        Condition.EFFECTS,
    ),
    (
        "for x, y in data:\n    print(",
        "import contextlib\nfor x, y in data:\n  with contextlib.suppress(ValueError):\n    print(",
        Condition.EFFECTS,
    ),
    ("scale = 2.0", "scale = 2.0\nexec(open('more.py').read())", Condition.PLAIN),
    ("scale = 2.0", "scale = 2.0\nlocals().update(scale=3.0)", Condition.PLAIN),
    ("scale = 2.0", "import sys\nscale = 2.0\nme = sys.modules[__name__]", Condition.PLAIN),
    *(
        ("for x, y in data:", f"{line}\nfor x, y in data:", Condition.PLAIN)
        for line in (
            "getattr(optimizer, '__dict__')['momentum'] = 0.1",
            "optimizer.__init__(0.01)",
            "import nobody_knows",
            "from nobody import knows",
            "import copy; copy.copy(scale)",
            "print(globals()['scale'])",
            "getattr(model, input())()",
            "class Told(metaclass=type(model)): pass",
            "class Told(made()): pass",
            "class Told:\n    def __get__(self, owner, kind):\n        return self",
            "tf.abs = print",
            "from nobody_knows import *",
            "get_ipython().run_line_magic('run', 'more.py')",
            "print.rate = 3",
            "tf.experimental.numpy.experimental_enable_numpy_behavior()",
        )
    ),
    *(
        ("for x, y in data:", f"{line}\nfor x, y in data:", STATE)
        for line in (
            "made().of(model)",
            "made()['model'] = model",
            "first, second = model",
            "kept = []; kept.append(model)",
            "made().exclude_from_weight_decay(var_names=['bias'])",
            "kept = {'a': model, 'b': 3}",
            "print(model in made())",
            "async def later(of=model):\n    await of\nlater()",
            "print(train_step.calls)",
            "w = tf.Variable(1.0, constraint=lambda v: v)",
        )
    ),
    ("tf.square(", "tf.io.decode_raw(", Condition.EFFECTS),
    *(
        ("    return loss", f"    return {text}", Condition.EFFECTS)
        for text in (
            "tf.math.log(1.0 + loss)",
            "loss * 1e20 * 1e20",
            "tf.argmax(tf.sigmoid(x))",
            "tf.keras.ops.argmax(tf.sigmoid(x))",
            "tf.reduce_max(tf.sqrt(x))",
            "tf.reduce_max(tf.acos(x))",
            "tf.argmax(tf.math.rint(x))",
            "tf.keras.ops.max(tf.keras.ops.sqrt(x))",
            "tf.math.log(tf.nn.softmax(x))",
            "tf.floor(tf.divide(x, 0.1))",
            "tf.exp(loss) - 1.0",
            "(loss + 3.0) - 3.0",
            "-(3.0 - loss) + 3.0",
            "tf.negative(loss + 3.0) + 3.0",
            "tf.math.log(1e-8 + -(loss - 1.0))",
            "tf.floor(loss / 0.1)",
            "tf.cast(tf.logical_not(loss > 0.5), tf.float32)",
            "tf.maximum(loss, 2.0 * loss)",
        )
    ),
    ("    return loss", "    return loss if (yield) else loss", Condition.EFFECTS),
    (
        "    gradients =",
        "    told = tf.keras.losses.sparse_categorical_crossentropy(y, tf.nn.softmax(x))\n"
        "    gradients =",
        Condition.EFFECTS,
    ),
    (
        "    print(float(train_step(x, y)))",
        "    train_step(model(x), y)\nprint(tf.keras.losses.binary_crossentropy(y, model(x)))",
        Condition.RESULTS,
    ),
    *(
        ("    print(float(train_step(x, y)))", f"    print({asked})", Condition.PLAIN)
        for asked in (
            "min(9.0, float(train_step(x, y)))",
            "bool(train_step(x, y) > 0.0)",
            "np.argmin([float(train_step(x, y))])",
            "np.nanargmin([float(train_step(x, y))])",
            "(train_step(x, y) < 2.0).numpy()",
            "tf.less(train_step(x, y), 2.0)",
        )
    ),
    *(
        ("scale = 2.0", f"scale = 2.0\nimport os\n{line}", Condition.EFFECTS)
        for line in (
            "os.environ['TF_XLA_FLAGS'] = '--tf_xla_auto_jit=2'",
            "os.environ['KERAS_BACKEND'] = 'jax'",
            "os.environ.setdefault('TF_FUNCTION_JIT_COMPILE_DEFAULT', '1')",
            "tf.config.optimizer.set_jit(True)",
        )
    ),
    ("SGD(0.1)", "SGD(lambda: 0.1 * scale)", Condition.DRAWS),
    *(
        ("    return loss", f"    told = tf.{call}\n    return loss", Condition.EFFECTS)
        for call in (
            "less(1, x)",
            "less(y=x, x=1)",
            "multiply(np.array([1.0]), x)",
            "where(x > 1.0, 0, x)",
            "where(x > 1.0, [[0], [1]], x)",
            "add([[1, 2, 3, 4]], x)",
            "less(1.0, tf.cast(x, tf.float64))",
        )
    ),
    *(
        ("SGD(0.1)", f"SGD(tf.keras.optimizers.schedules.{schedule})", Condition.DRAWS)
        for schedule in (
            "ExponentialDecay(0.1, 41, 0.1, staircase=True)",
            "InverseTimeDecay(0.1, 41, 0.1, True)",
            "PolynomialDecay(0.1, 41, cycle=bool(scale))",
            "CosineDecayRestarts(0.1, 41)",
            "ExponentialDecay.from_config({})",
            "deserialize({})",
        )
    ),
    (
        "scale = 2.0",
        "scale = 2.0\nrate = tf.keras.optimizers.schedules.ExponentialDecay(0.1, 41, 0.1)\nrate.staircase = True",
        Condition.DRAWS,
    ),
    (
        "scale = 2.0",
        "scale = 2.0\noptimizer.learning_rate = tf.keras.optimizers.schedules.CosineDecayRestarts(0.1, 41)",
        Condition.DRAWS,
    ),
    ("    return loss", "    share = y // tf.reduce_sum(x)\n    return loss", Condition.EFFECTS),
    ("for x, y in data:", "for x, y in data:\n    eased(optimizer)", Condition.STATE),
    (
        "    print(float(train_step(x, y)))",
        "    print(float(train_step(x, y)))\n    tf.keras.backend.set_epsilon(0.5)",
        Condition.PLAIN,
    ),
    *(
        (
            "    print(float(train_step(x, y)))",
            f"    print(float(train_step(x, y)))\n    {change}",
            Condition.STATE,
        )
        for change in (
            "optimizer.nesterov = True",
            "optimizer.learning_rate = lambda: 0.01",
            "optimizer.learning_rate = 0.1 if scale else made()",
            "optimizer.exclude_from_weight_decay(var_names=['bias'])",
            "vars(optimizer)['momentum'] = 0.1",
            "optimizer._learning_rate.decay_rate = 0.1",
            "list(map(lambda o: setattr(o, 'momentum', 0.1), [optimizer]))",
            "model.layers[0].kernel_regularizer.l2 = 5.0",
            "import lib; lib.turn(optimizer)",
        )
    ),
    (
        "optimizer = tf.keras.optimizers.SGD(0.1)",
        "rates = [0.1, 0.2]\nschedules = tf.keras.optimizers.schedules\n"
        "optimizer = tf.keras.optimizers.SGD(schedules.PiecewiseConstantDecay([1], rates))\n"
        "handlers = [lambda: rates.append(1)]",
        Condition.STATE,
    ),
    *(
        ("def train_step(x, y):", f"{before}def train_step({parameters}):", Condition.EFFECTS)
        for before, parameters in (
            ("", "x: print(1), y"),
            ("seen = iter([1, 2])\n", "x, y: next(seen)"),
            ("Rows = tf.Tensor\n", "x: Rows, y: [scale := 3.0]"),
        )
    ),
    ("model(x, training=True)", "model(first(x), training=True)", Condition.EFFECTS),
    ("scale * model(x, training=True)", "tf.squeeze(model(x))", Condition.SHAPES),
    ("model(x, training=True)", "model(tf.boolean_mask(x, x[:, 0] > 0))", Condition.SHAPES),
    (
        "model(x, training=True)",
        "model(tf.reshape(x, [tf.shape(x)[0], -1]))",
        Condition.SHAPES,
    ),
    ("- y))", "- y)) + tf.add_n(tf.unstack(tf.boolean_mask(y, y > 0)))", Condition.SHAPES),
    ("scale = 2.0", "import atexit\nscale = 2.0\natexit.register(print)", Condition.PLAIN),
    ("    return loss", "    tf.gather(x, 3)\n    return loss", Condition.EFFECTS),
    *(
        ("    return loss", f"    {line}\n    return loss", Condition.EFFECTS)
        for line in (
            "last = x[3]",
            "last = -x[3]",
            "last = [x[3]]",
            "last = []; last.append(x[3])",
            "last = {'row': x[3]}",
            "last, row = x[3], x[0]; loss = loss + row",
            "last = [row for row in [x[3]]]",
            "last = x[3]; loss = loss if last is None else loss",
            "last = x[3]; loss = loss + last if eased is None else loss",
            "last = x[3]\n    if eased is None:\n        loss = loss + last",
            "last = x[3]\n    for _ in range(0):\n        loss = loss + last",
            "last = x[3]\n    for last in [loss]:\n        loss = loss + last",
        )
    ),
    (
        "def train_step(x, y):\n",
        "def first(of, other):\n    return of\n\n\ndef train_step(x, y):\n    x = first(x, x[3])\n",
        Condition.EFFECTS,
    ),
    (
        "def train_step(x, y):\n",
        "def both(of):\n    return of, of[3]\n\n\ndef train_step(x, y):\n    x = both(x)[0]\n",
        Condition.EFFECTS,
    ),
    (
        "    return loss",
        "    last = tf.gather(x, 3)\n    last = 1\n    return loss + last",
        Condition.EFFECTS,
    ),
    ("    return loss", "    return loss + tf.zeros_like(tf.gather(x, 3))", Condition.EFFECTS),
    (
        "    print(float(train_step(x, y)))",
        "    try:\n        train_step(x, y)\n    finally:\n        print(model.weights)",
        Condition.EFFECTS,
    ),
    (
        "    print(float(train_step(x, y)))",
        "    try:\n        train_step(x, y)\n    finally:\n        eased(optimizer)",
        Condition.EFFECTS,
    ),
    (
        "for x, y in data:",
        "def turns():\n    try:\n        yield from data\n        yield 3\n    finally:\n"
        "        print(model.weights)\n\n\nturns()\nfor x, y in data:",
        Condition.PLAIN,
    ),
    (
        "scale = 2.0",
        "scale = 2.0\nprint([v for v in vars().values() if callable(v)])",
        Condition.PLAIN,
    ),
    ("- y))", "- y)) + tf.nn.fractional_max_pool(x, [1, 2, 2, 1])[0]", Condition.DRAWS),
    (
        "    print(float(train_step(x, y)))",
        "    train_step(x, y) is tf.ones([])",
        Condition.RESULTS,
    ),
    (
        "    print(float(train_step(x, y)))",
        "    print(float(train_step(x, y)), model.losses)",
        Condition.STATE,
    ),
    *(
        (
            "def train_step(x, y):\n",
            f"rates = [2.0]\n{holder}\n{change}\n\n\ndef train_step(x, y):\n    scale = rates[0]\n",
            STATE,
        )
        for holder, change in (
            ("put = rates.insert", "put(0, 1.0)"),
            ("held = {'rates': rates}", "held['rates'][0] = 1.0"),
            ("held = dict(rates=rates)", "held['rates'][0] = 1.0"),
            ("held = {}\nheld['rates'] = rates", "held['rates'].clear()"),
            ("list.insert(rates, 0, 1.0)", "rates"),
        )
    ),
    (
        "for x, y in data:\n    print(",
        "class Run:\n  def __iter__(self):\n   for x, y in data:\n    yield float(",
        Condition.EFFECTS,
    ),
    ("layers.Dense(1)", "layers.Normalization()", Condition.DRAWS),
    ("for x, y in data:", "for x, y in data:\n    model.layers[0].adapt(x)", Condition.STATE),
    (
        "def train_step(x, y):\n",
        "class C:\n    s = 1.0\n\n\nclass C:\n    s = 2.0\n\n\n"
        "def train_step(x, y):\n    scale = C.s\n",
        Condition.PLAIN,
    ),
]

#: What is written instead of what, and takes nothing from the proof.
HARMLESS = [
    # A graph casts a number that stands behind the tensor, or beside it in an operation.
    ("    return loss", "    return tf.maximum(loss, 0) + (1 - loss)"),
    ("SGD(0.1)", "SGD(tf.keras.optimizers.schedules.ExponentialDecay(0.1, 41, 0.1))"),
    (
        "model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(1)])",
        "raw = tf.keras.Input([4])\n"
        "hidden = tf.keras.layers.Dense(4, activation=tf.nn.relu)(tf.keras.layers.Rescaling(0.1)(raw))\n"
        "hidden = tf.keras.layers.Add()([raw, hidden])\n"
        "model = tf.keras.Model(raw, tf.keras.layers.Dense(1)(hidden))",
    ),
    ("    return loss", "    rows = [x[3], x[0]]\n    return tf.stack(rows)"),
    (
        "    return loss",
        "    row = x[3]\n    for _ in range(2):\n        row = -row\n    return row",
    ),
    (
        "def train_step(x, y):\n",
        "rates = [2.0]\nprint(rates[0], len(rates))\n\n\ndef train_step(x, y):\n    scale = rates[0]\n",
    ),
    ("for x, y in data:", "for x, y in data:\n    model.load_weights('best.weights.h5')"),
    ("for x, y in data:", "optimizer.nesterov = True\nfor x, y in data:"),
    (
        "    print(float(train_step(x, y)))",
        "    print(float(train_step(x, y)))\n    optimizer.learning_rate = 0.1",
    ),
    (
        "    print(float(train_step(x, y)))",
        "    try:\n        train_step(x, y)\n    except KeyboardInterrupt:\n        break",
    ),
    (
        "    print(float(train_step(x, y)))",
        "    try:\n        train_step(x, y)\n    finally:\n        print(len(data))",
    ),
    (
        "    print(float(train_step(x, y)))",
        "    train_step(x, y)\n    model(x)\n    print(model.losses)",
    ),
    (
        "    print(float(train_step(x, y)))",
        "    loss = train_step(x, y)\n    print(loss is None)",
    ),
]


def gaps(text: str, name: str = "train_step") -> list[Gap]:
    model = SemanticModel.build(cst.parse_module(text), Source("example.py", text))
    return unit_gaps(model, unit_named(model, name))


def test_a_step_of_which_all_is_known_is_proved() -> None:
    assert gaps(PROGRAM) == []


@pytest.mark.parametrize(("old", "new", "condition"), CHANGES)
def test_what_is_not_known_is_named(old: str, new: str, condition: Condition) -> None:
    assert old in PROGRAM
    text = PROGRAM.replace(old, new)
    if "try" in new and "finally" not in new:
        text += "  except ValueError:\n    pass\n"
    assert condition in {gap.condition for gap in gaps(text)}


@pytest.mark.parametrize(("old", "new"), HARMLESS)
def test_what_changes_nothing_takes_nothing_from_the_proof(old: str, new: str) -> None:
    assert old in PROGRAM
    assert gaps(PROGRAM.replace(old, new)) == []


CLASS = """\
import tensorflow as tf


class Trainer:
    rate = 0.1

    def __init__(self):
        self.w = tf.Variable(1.0)

    def step(self, x):
        self.w.assign_sub(self.rate * tf.reduce_mean(x))
        return self.w * x


trainer = Trainer()
for x in tf.data.Dataset.from_tensor_slices(tf.ones([80, 2])):
    print(float(trainer.step(x)))
"""


@pytest.mark.parametrize(
    ("old", "new", "condition"),
    [
        (
            "    def __init__",
            "    def __new__(cls):\n        return kept\n\n    def __init__",
            Condition.PLAIN,
        ),
        (
            "trainer = ",
            "class Base:\n    def __init_subclass__(cls):\n        print(vars(cls))\n\n\ntrainer = ",
            Condition.PLAIN,
        ),
        ("for x in", "trainer.__class__.rate = 0.2\nfor x in", Condition.PLAIN),
    ],
)
def test_objects_that_are_made_once_more_are_seen(old: str, new: str, condition: Condition) -> None:
    assert gaps(CLASS, "Trainer.step") == []
    assert condition in {gap.condition for gap in gaps(CLASS.replace(old, new), "Trainer.step")}


def test_a_long_chain_of_calls_is_gone_through() -> None:
    last = 600
    chain = "".join(f"def f_{i}(x):\n    return f_{i + 1}(x + 1.0)\n\n\n" for i in range(last))
    chain += f"def f_{last}(x):\n    return x * tf.random.normal([])\n\n\n"
    text = PROGRAM.replace("def train_step", f"{chain}def train_step").replace(
        "model(x, ", "model(f_0(x), "
    )
    assert [gap.condition for gap in gaps(text)].count(Condition.DRAWS) == 1
