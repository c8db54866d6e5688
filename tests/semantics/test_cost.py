"""What findings are said to cost."""

from __future__ import annotations

import textwrap

import pytest

from tfxla_lint.findings import Spent, Stake
from tfxla_lint.knowledge import prices
from tfxla_lint.semantics.cost.amounts import Amount, exactly
from tfxla_lint.semantics.cost.stakes import IN_PLACE
from tfxla_lint.source import Source
from tools.programs.tool import lint

STEP = """
import numpy as np
import tensorflow as tf

{model}
optimizer = tf.keras.optimizers.{optimizer}(0.1)
x, y = tf.ones([16, 8]), tf.ones([16, 1])


def train():
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


for step in range({turns}):
    train()
"""
DENSE = 'tf.keras.layers.Dense(8, activation="relu")'
SEQUENTIAL = f"model = tf.keras.Sequential([{DENSE}, {DENSE}])"
FUNCTIONAL = f"""\
given = tf.keras.Input([8])
hidden = {DENSE}(given)
hidden = {DENSE}(hidden)
model = tf.keras.Model(given, hidden)
"""
ADDED = f"""\
model = tf.keras.Sequential()
model.add({DENSE})
model.add({DENSE})
"""
OWN = f"""\
class Own(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.first = {DENSE}
        self.second = {DENSE}

    def call(self, given, training=False):
        return self.second(self.first(given))

model = Own()
"""


def stakes(code: str) -> list[Stake]:
    """What is at stake in the findings of some code, in order."""
    findings = lint(Source("code.py", textwrap.dedent(code))).findings
    return [finding.stake for finding in findings if finding.stake is not None]


def step(model: str = SEQUENTIAL, optimizer: str = "SGD", turns: str = "1000") -> Stake:
    """What is at stake in a training step of a model, with an optimizer."""
    (stake,) = stakes(STEP.format(model=model, optimizer=optimizer, turns=turns))
    return stake


def likely(stake: Stake) -> float:
    assert stake.seconds.likely is not None
    return stake.seconds.likely


def test_a_known_number_of_turns_makes_a_sum_of_it() -> None:
    stake = step()
    assert stake.spent is Spent.DISPATCH
    assert stake.times == 1000
    assert stake.total is not None
    assert stake.total.likely == pytest.approx(1000 * likely(stake))
    assert stake.saved is not None
    assert 500 * likely(stake) < stake.saved < 1000 * likely(stake)


@pytest.mark.parametrize(
    "more", ["if step > limit:\n        break", "if step > limit:\n        continue"]
)
def test_what_may_end_early_runs_at_most_so_often(more: str) -> None:
    code = STEP.format(model=SEQUENTIAL, optimizer="SGD", turns="1000")
    code = code.replace("    train()\n", f"    {more}\n    train()\n")
    (stake,) = stakes("from elsewhere import limit\n" + code)
    assert (stake.times, stake.is_most) == (1000, True)
    assert not step().is_most


def test_where_turns_are_not_known_there_is_no_sum() -> None:
    stake = step(turns="int(input())")
    assert (stake.times, stake.total, stake.saved) == (None, None, None)
    assert likely(stake) == likely(step())


@pytest.mark.parametrize("model", [FUNCTIONAL, ADDED, OWN], ids=["functional", "added", "own"])
def test_a_model_costs_about_the_same_however_it_is_put_together(model: str) -> None:
    assert likely(step(model)) == pytest.approx(likely(step()), rel=0.25)


def test_each_layer_and_each_variable_of_an_optimizer_is_paid_for() -> None:
    deeper = SEQUENTIAL.replace("])", f", {DENSE}, {DENSE}])")
    dense, sgd, adam = (
        prices.price("layers", "Dense+activation"),
        prices.price("optimizers", "SGD"),
        prices.price("optimizers", "Adam"),
    )
    assert dense is not None
    assert sgd is not None
    assert adam is not None
    micro = 1e-6 * IN_PLACE.likely
    more = micro * (2 * dense["taped"] + 4 * sgd["eager_variable"])
    assert likely(step(deeper)) - likely(step()) == pytest.approx(more)
    more = micro * (adam["eager"] - sgd["eager"])
    more += 4 * micro * (adam["eager_variable"] - sgd["eager_variable"])
    assert likely(step(optimizer="Adam")) - likely(step()) == pytest.approx(more)


def test_of_a_model_that_is_not_known_only_the_least_is_told() -> None:
    stake = step("from elsewhere import make\n\nmodel: tf.keras.Model = make()")
    assert stake.seconds.likely is stake.seconds.high is None
    assert 0 < stake.seconds.low < likely(step())
    assert stake.factor is not None
    assert stake.factor.likely is None


def test_a_graph_hardly_helps_where_kernels_take_the_time() -> None:
    wide = "tf.keras.layers.Conv2D(128, 3, padding='same')"
    model = f"model = tf.keras.Sequential([tf.keras.Input([256, 256, 64]), {wide}, {wide}])"
    code = STEP.format(model=model, optimizer="SGD", turns="1000")
    code = code.replace("tf.ones([16, 8])", "tf.ones([16, 256, 256, 64])")
    (stake,) = stakes(code)
    small = step()
    assert stake.factor is not None
    assert stake.factor.high is not None
    assert stake.factor.high < 1.3
    assert small.factor is not None
    assert small.factor.low > 2


def test_loops_and_called_functions_count_as_often_as_they_run() -> None:
    code = """
    import tensorflow as tf

    w = tf.Variable(tf.ones([4]))

    def slope(y):
        return tf.sin(y) * w - tf.exp(y) + tf.square(y) * tf.tanh(y)

    def update():
        with tf.GradientTape() as tape:
            y = tf.ones([4])
            for _ in range({inner}):
                y = y + 0.1 * slope(y)
            loss = tf.reduce_sum(y)
        w.assign_sub(tape.gradient(loss, w))

    for step in range(100):
        update()
    """

    def of(inner: int) -> float:
        (stake,) = stakes(code.format(inner=inner))
        return likely(stake)

    assert of(8) - of(4) == pytest.approx(of(12) - of(8))
    assert of(8) > 1.8 * of(4)


def test_predict_on_every_turn_costs_the_call_and_not_the_model() -> None:
    code = """
    import numpy as np
    import tensorflow as tf

    model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(2)])
    state = np.zeros(4, dtype=np.float32)
    for step in range(200):
        state = state + model.predict(state[None], verbose=0)[0].max()
    """
    (stake,) = stakes(code)
    assert (stake.spent, stake.times) == (Spent.CALLS, 200)
    assert likely(stake) == pytest.approx(1e-6 * prices.figure("calls", "predict"))
    assert stake.factor is not None
    assert stake.factor.low > 5


def test_a_retrace_costs_by_the_nodes_of_what_is_traced() -> None:
    code = """
    import tensorflow as tf

    @tf.function
    def scaled(x, by):
        {more}return tf.reduce_sum(tf.exp(x) * by)

    x = tf.ones([4])
    for number in range(30):
        scaled(x, number)
    """
    (short,) = stakes(code.format(more=""))
    (long,) = stakes(code.format(more="x = tf.sin(tf.cos(tf.sin(tf.cos(x))))\n        "))
    assert (short.spent, short.times, short.factor) == (Spent.TRACES, 30, None)
    assert likely(long) > likely(short) > 1e-6 * prices.figure("traces", "trace")


def test_what_repeats_a_finding_is_named_from_outside_in() -> None:
    code = """
    import tensorflow as tf

    w = tf.Variable(tf.ones([4]))

    def update(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.square(w - x))
        w.assign_sub(0.1 * tape.gradient(loss, w))

    def run(data):
        for epoch in range(5):
            for x in data:
                update(x)

    run(tf.data.Dataset.from_tensor_slices(tf.ones([64, 4])))
    """
    (stake,) = stakes(code)
    texts = [(repeated.text, repeated.turns) for repeated in stake.within]
    assert texts == [("for epoch in range(5):", 5), ("for x in data:", 64)]
    assert stake.times == 320


def test_amounts_add_and_multiply_end_by_end() -> None:
    amount = Amount(1, 2, 4) + exactly(1)
    assert amount == Amount(2, 3, 5)
    assert amount * 2.0 == Amount(4, 6, 10)
    assert amount * Amount(0, 1, 2) == Amount(0, 3, 10)


def test_what_a_strategy_distributes_has_no_price() -> None:
    code = STEP.format(model=SEQUENTIAL, optimizer="SGD", turns="1000")
    code = code.replace("optimizer =", "strategy = tf.distribute.MirroredStrategy()\noptimizer =")
    assert stakes(code.replace("    train()\n", "    strategy.run(train)\n")) == []


ROWS = """
import tensorflow as tf
points = tf.reshape(tf.range({values}), [{rows}, 3])
lengths = tf.stack([tf.sqrt(tf.reduce_sum(tf.square(point))) for point in points])
"""
BACKWARD = """
import tensorflow as tf
x = tf.Variable(tf.ones([20]))
for again in range(5):
    with tf.GradientTape(persistent=True) as tape:
        y = {recorded}
        jacobian = tf.stack([tape.gradient(y[i], x) for i in range(20)])
"""
UNUSED = """
import tensorflow as tf
w, rows = tf.Variable([[1.0], [2.0]]), tf.ones([64, 2])
{decorator}
def validate(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ w - 1.0))
    return loss
for turn in range(200):
    print(validate(rows))
"""
MAPPED = """
import tensorflow as tf
w = tf.Variable(0.0)
def noisy(a):
    return a + tf.random.normal([2]) * tf.sqrt(tf.abs(a)){more}
def python(a):
    return tf.numpy_function(lambda b: b * 2, [a], tf.float32)
@tf.function
def step(batch):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(w * batch)
    w.assign_sub(tape.gradient(loss, w))
data = tf.data.Dataset.from_tensor_slices(tf.ones([640, 2])).map({mapped}).batch(32)
for epoch in range({epochs}):
    for batch in data:
        step(batch)
"""


def test_each_row_of_a_tensor_is_paid_for_and_all_at_once_only_once() -> None:
    (many,) = stakes(ROWS.format(values="3000.0", rows=1000))
    (few,) = stakes(ROWS.format(values="300.0", rows=100))
    assert (many.spent, many.times, few.times) == (Spent.ROWS, 1000, 100)
    assert likely(many) == likely(few)
    assert many.factor is not None
    assert few.factor is not None
    assert many.factor.high is not None
    assert few.factor.high is not None
    # What maps the rows by itself is traced first, which may take longer than a hundred rows.
    assert few.factor.low < 2 < many.factor.low
    assert few.factor.high <= 100 < many.factor.high <= 1000


def test_each_row_of_a_jacobian_goes_back_through_what_was_recorded() -> None:
    recorded = ("tf.sin(x)", "tf.exp(tf.exp(tf.sin(x)))")
    found = [stakes(BACKWARD.format(recorded=text)) for text in recorded]
    short, long = (next(s for s in each if s.spent is Spent.ROWS) for each in found)
    assert (short.spent, short.times, short.factor) == (Spent.ROWS, 100, None)
    exp = prices.price("ops", "exp")
    assert exp is not None
    more = 2e-6 * IN_PLACE.likely * (exp["taped"] - exp["eager"])
    assert likely(long) - likely(short) == pytest.approx(more)


def test_a_tape_of_which_nobody_asks_anything_costs_its_recording_where_code_is_eager() -> None:
    eager = [s for s in stakes(UNUSED.format(decorator="")) if s.spent is Spent.CALLS]
    assert [stake.times for stake in eager] == [200]
    assert likely(eager[0]) > 1e-6 * prices.figure("calls", "tape_opened")
    assert stakes(UNUSED.format(decorator="@tf.function")) == []


def test_what_a_pipeline_does_to_each_element_is_told_of_all_its_elements() -> None:
    (python,) = stakes(MAPPED.format(mapped="python", epochs=10, more=""))
    assert (python.spent, python.times) == (Spent.ELEMENTS, 6400)
    assert likely(python) == pytest.approx(1e-6 * prices.figure("calls", "python_element"))
    (short,) = stakes(MAPPED.format(mapped="noisy", epochs="int(input())", more=""))
    (long,) = stakes(MAPPED.format(mapped="noisy", epochs=3, more=" + tf.sin(tf.sin(a))"))
    assert (short.times, long.times) == (None, 1920)
    assert likely(long) > likely(short)


NEWTON = """
import tensorflow as tf

def move(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.sin(x * x) + {recorded}
    return x - 0.1 * tf.reduce_sum(tape.{asked}, axis=-1) - tf.exp(x) * x

x = tf.ones([4])
for turn in range(100):
    x = move(x)
"""


def test_a_jacobian_asked_for_eagerly_costs_traces_which_grow_with_what_is_recorded() -> None:
    (plain,) = stakes(NEWTON.format(recorded="tf.exp(x)", asked="gradient(y, x)"))
    (jacobian,) = stakes(NEWTON.format(recorded="tf.exp(x)", asked="jacobian(y, x)"))
    (longer,) = stakes(NEWTON.format(recorded="tf.exp(tf.exp(x))", asked="jacobian(y, x)"))
    rows = "jacobian(y, x, experimental_use_pfor=False)"
    (by_rows,) = stakes(NEWTON.format(recorded="tf.exp(x)", asked=rows))
    figures = prices.price("gradients", "jacobian")
    assert figures is not None
    assert likely(jacobian) - likely(plain) > 1e-6 * IN_PLACE.likely * figures["eager"]
    assert likely(longer) - likely(jacobian) > 1e-6 * figures["eager_node"]
    assert likely(by_rows) == likely(plain)
    assert jacobian.factor is not None
    assert jacobian.factor.low > 50


HELPED = """
import tensorflow as tf

def near(x, y):
    return tf.argmin(tf.square(x) - 2.0 * tf.matmul(x, y) + tf.exp(y), axis=1)

def moved(x, chosen):
    return tf.gather(x, chosen) / tf.maximum(tf.reduce_sum(x), 1.0)

def both(x, y):
    return moved(x, near(x, y))

x = tf.ones([8, 8])
for turn in range(100):
    x = both(x, x)
"""


def test_a_function_is_worth_a_trace_for_what_its_helpers_do_alone() -> None:
    (stake,) = stakes(HELPED)
    assert stake.times == 100
    assert stake.factor is not None


def test_what_python_does_beside_a_step_makes_a_graph_help_less() -> None:
    code = STEP.format(model=SEQUENTIAL, optimizer="SGD", turns=1000)
    (alone,) = stakes(code)
    (busy,) = stakes(code + "    print(np.sum(np.ones(9)), float(np.mean(np.ones(9))))\n" * 3)
    assert likely(alone) == likely(busy)
    assert alone.factor is not None
    assert busy.factor is not None
    assert alone.factor.high is not None
    assert busy.factor.high is not None
    assert busy.factor.low < 0.8 * alone.factor.low
    assert busy.factor.high < alone.factor.high


BESIDE = """
import tensorflow as tf
from elsewhere import given

{model}
mean = tf.keras.metrics.Mean()
optimizer = tf.keras.optimizers.SGD(0.1)
x, y = tf.ones([16, 8]), tf.ones([16, 8])

def train(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss

class Trainer:
    def __init__(self):
        self.step = tf.function(self._step)

    def _step(self, x, y):
        return train(x, y)

    @tf.function
    def decorated(self, x, y):
        return train(x, y)

    def run(self, x, y):
        return self.decorated(x, y)

def squared(x):
    x = tf.sqrt(tf.abs(tf.sin(x) + tf.square(x) - tf.exp(x)))
    return tf.reduce_sum(tf.sqrt(tf.abs(tf.sin(x) + tf.square(x) - tf.exp(x))))

trainer = Trainer()
model.compile("sgd", "mse")
traced = tf.function(train)
wrapped = tf.function(model)
outside = tf.function(given)

for turn in range(1000):
    {eager}
    {step}
"""
WAYS = {
    "wrapped": "mean.update_state(traced(x, y))",
    "attribute": "mean.update_state(trainer.step(x, y))",
    "method": "mean.update_state(trainer.decorated(x, y))",
    "model": "mean.update_state(wrapped(x))",
    "imported": "mean.update_state(traced(x, y) + outside(x))",
}
KNOWN = f"model = tf.keras.Sequential([tf.keras.Input([8]), {DENSE}, {DENSE}])"
UNKNOWN = "model: tf.keras.Model = given()"


def beside(model: str, step: str, eager: str = "mean.update_state(1.0)") -> Stake:
    """What is at stake in what is eager beside a step that is traced."""
    found = stakes(BESIDE.format(model=model, step=step, eager=eager))
    return max(found, key=lambda stake: stake.weight)


def ends(stake: Stake) -> tuple[float, float]:
    """Between which factors mending lies."""
    assert stake.factor is not None
    assert stake.factor.high is not None
    return stake.factor.low, stake.factor.high


@pytest.mark.parametrize("way", WAYS)
def test_beside_a_traced_step_of_which_little_is_known_only_the_most_is_told(way: str) -> None:
    known, unknown = beside(KNOWN, WAYS[way]), beside(UNKNOWN, WAYS[way])
    assert likely(known) == likely(unknown)
    assert unknown.factor is not None
    assert (unknown.factor.low, unknown.factor.likely) == (1.0, None)
    assert ends(unknown)[1] > 1.1
    assert unknown.saved is None
    if way != "imported":
        assert ends(known)[0] > 1.1


def test_what_a_traced_step_computes_is_paid_however_the_loop_around_runs() -> None:
    wide = "tf.keras.layers.Conv2D(64, 3, padding='same')"
    code = BESIDE.replace("tf.ones([16, 8])", "tf.ones([16, 96, 96, 64])")
    heavy = f"model = tf.keras.Sequential([tf.keras.Input([96, 96, 64]), {wide}, {wide}])"
    (stake,) = stakes(code.format(model=heavy, step=WAYS["method"], eager="mean.update_state(1.0)"))
    small = beside(KNOWN, WAYS["method"])
    assert likely(stake) == likely(small)
    assert ends(stake)[1] < 1.1 < ends(small)[0]


@pytest.mark.parametrize(
    "step", ["traced(x, y)", "trainer.run(x, y)", "model.train_on_batch(x, y)"]
)
def test_a_function_beside_a_traced_step_makes_up_only_its_part_of_a_turn(step: str) -> None:
    alone = beside(KNOWN, "pass", "squared(x)")
    found = [beside(model, step, "squared(x)") for model in (KNOWN, UNKNOWN)]
    assert ends(found[0])[1] < ends(alone)[1]
    assert ends(found[1])[0] == 1.0


def test_what_makes_something_of_tensors_and_is_not_known_may_take_any_time() -> None:
    code = STEP.format(model=SEQUENTIAL, optimizer="SGD", turns="1000")
    code = code.replace("import numpy", "from elsewhere import changed\nimport numpy")
    (stake,) = stakes(code.replace("    return loss", "    return changed(loss)"))
    assert stake.seconds.likely is None
    assert stake.seconds.low == step().seconds.low
    assert ends(stake)[0] < ends(step())[0]


def test_a_step_that_only_some_classes_trace_is_told_of_where_it_is_eager() -> None:
    code = """
    import tensorflow as tf

    class Eager:
        def __init__(self):
            self.w = tf.Variable(tf.ones([4]))

        {eager}
        def step(self, x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(tf.square(self.w - tf.exp(x)))
            self.w.assign_sub(0.1 * tape.gradient(loss, self.w))

    class Wide(Eager):
        @tf.function
        def step(self, x):
            wide = tf.ones([3000, 3000])
            self.w.assign_sub(tf.reduce_mean(wide @ wide) * x)

    def run(steps):
        for turn in range(100):
            steps.step(tf.ones([4]))

    run(Eager())
    {wide}
    """
    (alone,) = stakes(code.format(eager="", wide=""))
    (both,) = stakes(code.format(eager="", wide="run(Wide())"))
    assert alone.factor == both.factor


def test_a_model_costs_what_the_code_of_its_layers_does_and_at_least_that_of_a_library() -> None:
    own = (
        "class Both(tf.keras.layers.Layer):\n    def call(self, given):\n        return {body}\n\n"
    )
    model = f"model = tf.keras.Sequential([Both(), {DENSE}])"
    short = step(own.format(body="tf.exp(given)") + model)
    long = step(own.format(body="tf.exp(tf.exp(tf.exp(given)))") + model)
    exp = prices.price("ops", "exp")
    assert exp is not None
    assert likely(long) - likely(short) == pytest.approx(2e-6 * IN_PLACE.likely * exp["taped"])
    library = step(f"from elsewhere import Both\n\n{model}")
    assert library.seconds.likely is None
    assert library.factor is not None
    assert library.factor.likely is None


def test_what_goes_through_as_many_turns_as_there_are_data_comes_before_epochs() -> None:
    def weight(turns: str) -> float:
        return step(turns=turns).weight

    assert weight("len(x) // int(input())") > 5 * weight("int(input())")
    assert weight("int(x.shape[0] / float(input()))") == weight("len(input())")
