"""Programs of which one thing is not proved: `--fix` alone leaves them, and says what is missing."""

from __future__ import annotations

import pytest

from tfxla_lint.findings import Applicability
from tfxla_lint.fixer import fix_text
from tfxla_lint.source import Source

from .cases import Case, cases, findings_in, linter_of

#: The files, each made to tell code that was traced unasked from what it was, and what is said.
UNPROVED = {
    "eager_loop_body/losses_asked_later": "`model.losses` would be read of a trace",
    "eager_loop_body/schedule_of_ones_own": "`optimizer` may draw, or run code that is not seen",
    "eager_loop_body/variable_given_back": "`w.assign_sub` gives the variable",
    "eager_loop_body/vector_and_matrix": "it knows no size, or rank, that varies",
    "eager_model_call_in_loop/set_by_vars": "`vars` is not known to leave other objects alone",
    "eager_model_call_in_loop/vector_and_matrix": "it knows no size, or rank, that varies",
    "missing_tf_function/caught_by_caller": "what it raises may be caught",
    "missing_tf_function/caught_by_context": "uses `yield`",
    "missing_tf_function/caught_by_decorator": "what `forgiving` makes of it is not known",
    "missing_tf_function/caught_by_executor": "`concurrent.futures.ThreadPoolExecutor` is imported",
    "missing_tf_function/computed_when_read": "`config.rate` may run code of its own",
    "missing_tf_function/defined_twice": "`measure` is bound by more than one statement",
    "missing_tf_function/equal_objects": "`__eq__` may reach what nobody names",
    "missing_tf_function/given_back": "`x` is given back as it is",
    "missing_tf_function/grown_by_function": "`weights` may change in place",
    "missing_tf_function/imported_anew": "`factor` is bound by more than one statement",
    "missing_tf_function/kept_in_default": "the default of `factors` is no constant",
    "missing_tf_function/kept_in_tuple": "what `settings` holds may change in place",
    "missing_tf_function/known_again": "a cross-entropy knows `tf.nn.sigmoid` again in a graph",
    "missing_tf_function/layers_added": "`model.add` changes layers",
    "missing_tf_function/made_again": "`__init__` may reach what nobody names",
    "missing_tf_function/other_class": "`__class__` may reach what nobody names",
    "missing_tf_function/ranks_of_members": "it knows no size, or rank, that varies",
    "missing_tf_function/replaced_operation": "`tf.square` is set",
    "missing_tf_function/set_by_globals": "`globals` is not known to leave other objects alone",
    "missing_tf_function/set_up_again": "`self.rate` may be set by more than `__init__`",
    "missing_tf_function/shuffled": "`factors` may change in place",
    "missing_tf_function/told_apart": "`rows.ref()` tells tensors apart",
    "missing_tf_function/watched_by_profile": "`sys.setprofile` is not known to leave other objects alone",
    "unused_tape/found_in_frames": "`sys._getframe` is not known to leave other objects alone",
    "unused_tape/watches_what_it_may_not": "what it watches are tensors",
}


def named(case: Case) -> str:
    return f"{case.path.parent.name}/{case.path.name.removesuffix('_bad.py')}"


def chosen() -> list[Case]:
    return [case for case in cases("bad") if named(case) in UNPROVED]


def test_all_files_are_there() -> None:
    assert {named(case) for case in chosen()} == set(UNPROVED)


@pytest.mark.parametrize("case", chosen(), ids=named)
def test_fix_alone_changes_nothing(case: Case) -> None:
    source = Source.read(case.path)
    assert fix_text(source, linter_of(case.rule.code).lint, unsafe=False).text == source.text


@pytest.mark.parametrize("case", chosen(), ids=named)
def test_the_unsafe_fix_says_what_is_not_proved(case: Case) -> None:
    fixes = [finding.fix for finding in findings_in(case.rule, Source.read(case.path))]
    unsafe = [fix for fix in fixes if fix is not None and fix.applicability is Applicability.UNSAFE]
    assert any(UNPROVED[named(case)] in (fix.assumption or "") for fix in unsafe)


COPIED = """\
import COPY
import tensorflow as tf


class Agent:
    def __init__(self):
        self.net = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(2)])

    def play(self, states):
        return [int(tf.argmax(self.net(tf.reshape(state, [1, 3]))[0])) for state in states]


agent = Agent()
data = tf.unstack(tf.ones([90, 1, 3]))
print(agent.play(data), agent.play(data), CALL)
"""


@pytest.mark.parametrize(
    ("module", "call", "is_safe"),
    [
        ("copy", "copy.deepcopy(agent)", False),
        ("pickle", "pickle.dumps(agent)", False),
        ("math", "sorted(vars(agent))", False),
        ("math", "agent.__dict__", False),
        ("math", "math.sqrt(2.0)", True),
        ("lib", "lib.store([agent])", False),
    ],
)
def test_an_object_that_may_be_copied_or_shown_gets_no_traced_function(
    module: str, call: str, is_safe: bool
) -> None:
    text = COPIED.replace("COPY", module).replace("CALL", call)
    lint = linter_of("TXL110").lint
    assert (fix_text(Source("e.py", text), lint, unsafe=False).text != text) is is_safe
    assert fix_text(Source("e.py", text), lint, unsafe=True).text != text


HOLDING = """\
import tensorflow as tf


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(4)

    def call(self, inputs):
        return {"z": self.dense(inputs), "scale": SCALE}


model = Net()
for x in tf.data.Dataset.from_tensor_slices(tf.ones([960, 8])).batch(16):
    print(model(x)["scale"])
"""


@pytest.mark.parametrize(
    ("scale", "is_known"),
    [
        ("0.5", False),
        ("self.dense.kernel", False),
        ("{'of': 0.5}", False),
        ("tf.constant(0.5)", True),
    ],
)
def test_a_model_that_gives_more_than_tensors_is_not_wrapped_unasked(
    scale: str, is_known: bool
) -> None:
    assert _lacks_only_sizes(HOLDING.replace("SCALE", scale)) is is_known


def _lacks_only_sizes(text: str) -> bool:
    """Whether a wrapped model is unsafe just because its trace serves all sizes."""
    fixes = [finding.fix for finding in linter_of("TXL110").lint(Source("e.py", text)).findings]
    said = [fix.assumption or "" for fix in fixes if fix is not None]
    alone = [words for words in said if words.count("not proved that") == 1]
    return bool(said) and alone == said and all("it knows no size" in words for words in said)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("class Agent:\n", "class Agent:\n    __slots__ = ('net',)\n\n"),
        ("class Agent:\n", "@made\nclass Agent:\n"),
    ],
)
def test_an_object_that_takes_no_attributes_gets_none(old: str, new: str) -> None:
    text = COPIED.replace("COPY", "math").replace("CALL", "1").replace(old, new)
    lint = linter_of("TXL110").lint
    assert fix_text(Source("e.py", text), lint, unsafe=True).text == text


EARLY = """\
import sys

import tensorflow as tf

w = tf.Variable(tf.ones([2, 1]))
held = [w]
optimizer = tf.keras.optimizers.SGD(0.1)
x = tf.random.stateless_normal([22, 2], seed=[1, 2])
data = tf.data.Dataset.from_tensor_slices((x, tf.reduce_sum(x, 1, keepdims=True))).batch(11)
for features, targets in data.repeat(40):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((features @ w - 1.5 * targets) ** 2)
    gradient = tape.gradient(loss, w)
    LINE
    optimizer.apply_gradients([(gradient, w)])
"""


@pytest.mark.parametrize(
    ("line", "is_safe"),
    [
        ("", True),
        ("print(float(loss))", False),
        ("tf.print(loss)", False),
        ("if loss < 0.05: sys.exit()", False),
        ("assert loss > 0.05", False),
        ("print(held[0].numpy())", False),
        ("print(held)", False),
        ("print(float(loss))\n    tf.debugging.assert_less(loss, 9.0)", False),
        ("print(float(loss))\n    held[0].assign(loss * held[0])", False),
    ],
)
def test_nothing_moves_behind_an_update_that_may_raise(line: str, is_safe: bool) -> None:
    text = EARLY.replace("LINE", line)
    lint = linter_of("TXL102").lint
    assert (fix_text(Source("e.py", text), lint, unsafe=False).text != text) is is_safe


BRANCHING = """\
import tensorflow as tf


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.first = tf.keras.layers.Dense(4)
        self.extra = tf.keras.layers.Dense(4)

    def call(self, inputs, training=False):
        found = self.first(inputs)
        if training:
            found = self.extra(found)
        return found


model = Net()
for x in tf.data.Dataset.from_tensor_slices(tf.ones([960, 8])).batch(16):
    print(model(x, training=False), model(x, training=OTHER))
"""


@pytest.mark.parametrize(("other", "is_known"), [("False", True), ("True", False)])
def test_a_model_that_may_be_built_in_two_traces_is_not_wrapped_unasked(
    other: str, is_known: bool
) -> None:
    assert _lacks_only_sizes(BRANCHING.replace("OTHER", other)) is is_known


STEP = """\
    def step(self, x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(w * x))
        w.assign_sub(0.001 * tape.gradient(loss, w))
        return tf.reduce_mean(x * self.rate)
"""
LEARNER = (
    """\
import tensorflow as tf

w = tf.Variable(1.0)


class Learner:
    def __init__(self, rate):
        self.rate = rate

"""
    + STEP
)
ASKED = "for i in range(100):\n    loss = learner.step(tf.ones([4]))\nprint(float(loss))\n"
OBJECTS = {
    "made once": (LEARNER + "\n\nlearner = Learner(0.5)\n" + ASKED, True),
    "built again": (
        LEARNER.replace("__init__(self, rate)", "build(self, rate)")
        + "\n\nlearner = Learner()\nfor rate in (0.5, 5.0):\n    learner.build(rate)\n"
        + ASKED.replace("for ", "    for ").replace("    loss", "        loss"),
        False,
    ),
    "set up by another": (
        LEARNER + "\n\nclass Reset:\n    def __init__(self, other):\n        Learner.__init__(other, 5.0)\n"
        "\n\nlearner = Learner(0.5)\n" + ASKED + "Reset(learner)\n" + ASKED,
        False,
    ),
    "another takes its place": (
        LEARNER.replace("rate):\n", "rate, other=None):\n        self = other or self\n", 1)
        + "\n\nlearner = Learner(0.5)\nLearner(5.0, learner)\n" + ASKED,
        False,
    ),
    "made on each turn": (
        LEARNER + "\n\nfor turn in range(150):\n    learner = Learner(0.5)\n"
        + ASKED.replace("for ", "    for ").replace("    loss", "        loss").replace("print", "    print"),
        False,
    ),
    "its graph is looked at": (
        LEARNER + "\n\nlearner = Learner(0.5)\ntf.summary.trace_on(graph=True)\n" + ASKED,
        False,
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "is_safe"), OBJECTS.values(), ids=OBJECTS)
def test_a_method_is_decorated_unasked_where_its_object_is_made_once(
    text: str, is_safe: bool
) -> None:
    lint = linter_of("TXL101").lint
    assert (fix_text(Source("e.py", text), lint, unsafe=False).text != text) is is_safe


def test_an_unrolled_layer_keeps_its_lengths() -> None:
    text = (
        "import tensorflow as tf\n\n"
        "model = tf.keras.Sequential([tf.keras.Input([None, 3]), tf.keras.layers.LSTM(2, unroll=True)])\n"
        "for i in range(100):\n    values = model(tf.ones([1, 2 + i % 5, 3]))\nprint(values.shape)\n"
    )
    fixed = fix_text(Source("e.py", text), linter_of("TXL110").lint, unsafe=False).text
    assert "tf.function(model)" in fixed


TRACED_INSIDE = """\
import tensorflow as tf

w = tf.Variable(1.0)


DECORATORdef scaled(x):
    return x * w


def step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(scaled(x)))
    w.assign_sub(0.001 * tape.gradient(loss, w))
    return loss


for i in range(100):
    loss = step(tf.ones([4]))
print(float(loss))
"""


@pytest.mark.parametrize(("decorator", "is_safe"), [("", True), ("@tf.function\n", False)])
def test_a_step_that_runs_a_traced_function_is_not_traced_unasked(
    decorator: str, is_safe: bool
) -> None:
    text = TRACED_INSIDE.replace("DECORATOR", decorator)
    lint = linter_of("TXL101").lint
    assert (fix_text(Source("e.py", text), lint, unsafe=False).text != text) is is_safe


OFTEN = """\
import tensorflow as tf

data = tf.data.Dataset.from_tensor_slices((tf.ones([12, 3]), tf.ones([12, 1]))).batch(4)


def fit(units):
    model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(units), tf.keras.layers.Dense(1)])
    optimizer = tf.keras.optimizers.Adam(0.01)
    for x, y in data.repeat(50):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x) - y))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return float(loss)


for k in range(TIMES):
    print(fit(k + 1))
"""


@pytest.mark.parametrize(("times", "is_safe"), [("3", True), ("40", False)])
def test_a_step_that_many_runs_would_make_is_not_moved_unasked(times: str, is_safe: bool) -> None:
    text = OFTEN.replace("TIMES", times)
    lint = linter_of("TXL102").lint
    assert (fix_text(Source("e.py", text), lint, unsafe=False).text != text) is is_safe


TAPED = """\
import tensorflow as tf

tf.random.set_seed(3)
w = tf.Variable([[1.0], [2.0], [3.0]])


DECORATORdef forward(x):
    return tf.nn.dropout(x @ w, 0.5)


def validate(x):
    with tf.GradientTape(OPTION) as tape:
        FIRST
        loss = tf.reduce_mean(tf.square(forward(x)))
    return loss


print(validate(tf.ones([8, 3])), tf.reduce_sum(forward(tf.ones([8, 3]))))
"""
TAPES = {
    "eager code": ("", "", "pass", {Applicability.SAFE}),
    "a traced function": ("@tf.function\n", "", "pass", {Applicability.UNSAFE}),
    "an option": ("", "persistent=True", "pass", {Applicability.SAFE}),
    "no option": ("", "persistant=True", "pass", set()),
    "a string first": ("", "", '"what it computes"', set()),
}


@pytest.mark.parametrize(("decorator", "option", "first", "expected"), TAPES.values(), ids=TAPES)
def test_a_tape_is_dropped_unasked_around_what_is_the_same_without(
    decorator: str, option: str, first: str, expected: set[Applicability]
) -> None:
    text = TAPED.replace("DECORATOR", decorator).replace("OPTION", option).replace("FIRST", first)
    found = linter_of("TXL109").lint(Source("e.py", text)).findings
    assert {f.fix.applicability for f in found if f.fix is not None} == expected


LOGITS = """\
import tensorflow as tf

data = tf.data.Dataset.from_tensor_slices((tf.ones([960, 3]), tf.ones([960, 1]))).batch(4)
model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(1, activation="sigmoid")])
model.compile("sgd", "binary_crossentropy")
for x, y in data:
    out = model(x, training=False)
    print(LOSS)
"""


@pytest.mark.parametrize(
    ("loss", "is_safe"),
    [
        ("out[0]", True),
        ("tf.keras.losses.binary_crossentropy(y, out)", False),
        ("model.compute_loss(None, y, out)", False),
        ("tf.keras.losses.get('binary_crossentropy')(y, out)", False),
    ],
)
def test_what_a_loss_knows_again_is_not_given_by_a_trace(loss: str, is_safe: bool) -> None:
    text = LOGITS.replace("LOSS", loss)
    lint = linter_of("TXL110").lint
    assert (fix_text(Source("e.py", text), lint, unsafe=False).text != text) is is_safe


NORMED = """\
import tensorflow as tf

data = tf.data.Dataset.from_tensor_slices((tf.ones([960, 3]), tf.ones([960, 1]))).batch(4)
model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(4), LAYER, tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.OPTIMIZER(0.01)


def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


for x, y in data:
    loss = train_step(x, y)
print(float(loss))
"""


@pytest.mark.parametrize(
    ("layer", "optimizer", "is_safe"),
    [
        ("BatchNormalization()", "SGD", True),
        ("BatchNormalization()", "Adam", False),
        ("ReLU()", "Adam", True),
    ],
)
def test_a_bias_that_rounding_moves_is_not_traced_unasked(
    layer: str, optimizer: str, is_safe: bool
) -> None:
    text = NORMED.replace("LAYER", f"tf.keras.layers.{layer}").replace("OPTIMIZER", optimizer)
    lint = linter_of("TXL101").lint
    assert (fix_text(Source("e.py", text), lint, unsafe=False).text != text) is is_safe


@pytest.mark.parametrize(
    ("loss", "is_safe"),
    [("p - y", True), ("p - tf.reduce_mean(p)", False), ("p - model(-x)", False)],
)
def test_a_bias_that_the_loss_cancels_is_not_traced_unasked(loss: str, is_safe: bool) -> None:
    text = NORMED.replace("LAYER", "tf.keras.layers.ReLU()").replace("OPTIMIZER", "Adam")
    old = "        loss = tf.reduce_mean(tf.square(model(x, training=True) - y))\n"
    new = f"        p = model(x, training=True)\n        loss = tf.reduce_mean(tf.square({loss}))\n"
    assert old in text
    text = text.replace(old, new)
    lint = linter_of("TXL101").lint
    assert (fix_text(Source("e.py", text), lint, unsafe=False).text != text) is is_safe


HANDED = """\
import tensorflow as tf


DECORATORdef half(x):
    return tf.nn.relu(x) * 0.5


layer = tf.keras.layers.Dense(2, activation=half)


def validate(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(layer(x))
    return loss


print(validate(tf.ones([4, 2])))
"""


@pytest.mark.parametrize(("decorator", "is_safe"), [("", True), ("@tf.function\n", False)])
def test_a_tape_stays_around_a_layer_that_may_run_a_traced_function(
    decorator: str, is_safe: bool
) -> None:
    text = HANDED.replace("DECORATOR", decorator)
    lint = linter_of("TXL109").lint
    assert (fix_text(Source("e.py", text), lint, unsafe=False).text != text) is is_safe


WATCHING = """\
import tensorflow as tf

dense = tf.keras.layers.Dense(1)
dense.build([None, 2])
held = tf.Variable(2.0)
numbers = tf.constant([1, 2])
x = tf.ones([4, 2])
for turn in range(100):
    with tf.GradientTape() as tape:
        tape.watch(WATCHED)
        score = tf.reduce_sum(tf.square(x))
    print(turn, float(score))
"""


@pytest.mark.parametrize(
    ("watched", "is_safe"),
    [("x", True), ("held", True), ("dense.kernel", False), ("numbers", False)],
)
def test_a_tape_stays_that_refuses_what_it_is_to_watch_or_complains_of_it(
    watched: str, is_safe: bool
) -> None:
    """A variable of Keras 3 is no tensor, and one of integers has no gradient."""
    text = WATCHING.replace("WATCHED", watched)
    lint = linter_of("TXL109").lint
    assert (fix_text(Source("e.py", text), lint, unsafe=False).text != text) is is_safe


LAYERED = """\
import tensorflow as tf

rows = tf.data.Dataset.from_tensor_slices(tf.ones([960, 6])).batch(4)
norm = tf.keras.layers.BatchNormalization()
dense = tf.keras.layers.Dense(3)
inner = tf.keras.Sequential([tf.keras.Input([6]), norm])
model = tf.keras.Sequential([inner, dense])
for row in rows:
    print(model(row, training=True)[0])
CHANGE
for row in rows:
    print(model(row, training=True)[0])
"""


@pytest.mark.parametrize(
    ("change", "is_safe"),
    [
        ("print(norm.momentum)", True),
        ("norm.trainable = False", False),
        ("inner.trainable = False", False),
        ("norm.momentum = 0.1", False),
        ("dense.quantize('int8')", False),
    ],
)
def test_a_layer_that_is_changed_by_its_own_name(change: str, is_safe: bool) -> None:
    text = LAYERED.replace("CHANGE", change)
    lint = linter_of("TXL110").lint
    assert (fix_text(Source("e.py", text), lint, unsafe=False).text != text) is is_safe


ASKED = """\
import tensorflow as tf

w = tf.Variable(tf.ones([3, 1]))
rows = tf.data.Dataset.from_tensor_slices(tf.ones([960, 3])).batch(4)


def step(x):
    with tf.GradientTape() as tape:
        y = x @ w
        ASKED
        loss = tf.reduce_mean(tf.square(y)) * (0.5 if nothing else 1.0)
    w.assign_sub(0.01 * tape.gradient(loss, w))
    return loss


for _ in range(6):
    for x in rows:
        loss = step(x)
    print(float(loss))
"""


@pytest.mark.parametrize(
    ("asked", "is_safe"),
    [
        ("nothing = 2 > 3", True),
        ("nothing = not 3", True),
        ("nothing = not tf.reduce_sum(x)", False),
        ("nothing = not tf.math.count_nonzero(x)", False),
        ("nothing = not w[0, 0]", False),
        ("nothing = not tf.reduce_any(x > 2.0)", False),
        ("assert not tf.reduce_sum(x) > 99.0; nothing = False", False),
    ],
)
def test_what_is_not_so_of_a_tensor(asked: str, is_safe: bool) -> None:
    text = ASKED.replace("ASKED", asked)
    lint = linter_of("TXL101").lint
    assert (fix_text(Source("e.py", text), lint, unsafe=False).text != text) is is_safe


SIZED = """\
import tensorflow as tf

w = tf.Variable(tf.ones([3, 1]))
x = tf.ones([4, 3])


def step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ w))
    w.assign_sub(0.01 * tape.gradient(loss, w))
    return loss


for turn in range(50):
    print(float(step(GIVEN)))
"""


@pytest.mark.parametrize(
    ("given", "body", "is_safe"),
    [
        ("x", "x @ w", True),
        ("x[: turn + 1]", "x @ w", False),
        ("x[: turn + 1]", "tf.eye(len(x)) @ x @ w", False),
    ],
)
def test_a_trace_for_each_size(given: str, body: str, is_safe: bool) -> None:
    text = SIZED.replace("GIVEN", given).replace("x @ w", body)
    lint = linter_of("TXL101").lint
    assert (fix_text(Source("e.py", text), lint, unsafe=False).text != text) is is_safe


CALLED_OTHERWISE = """\
import tensorflow as tf


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(1)

    def call(self, x):
        return self.dense(x)


net = Net()
net(tf.ones([4, 3]))
optimizer = tf.keras.optimizers.SGD(0.05)


def step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(net(x)))
    gradients = tape.gradient(loss, net.trainable_variables)
    optimizer.apply_gradients(zip(gradients, net.trainable_variables))
    return loss


for _ in range(50):
    print(float(step(tf.ones([4, 3]))))
CHANGE
for _ in range(50):
    print(float(step(tf.ones([4, 3]))))
"""


@pytest.mark.parametrize(
    ("change", "is_safe"), [("print(net.name)", True), ("net.call = net.dense", False)]
)
def test_a_model_that_computes_something_else(change: str, is_safe: bool) -> None:
    text = CALLED_OTHERWISE.replace("CHANGE", change)
    lint = linter_of("TXL101").lint
    assert (fix_text(Source("e.py", text), lint, unsafe=False).text != text) is is_safe
