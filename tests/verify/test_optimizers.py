"""Arguments of optimizers that a library writes itself, and of what drives them."""

from __future__ import annotations

import pytest

from .conftest import Verify, outcomes

TEXT = """\
import tensorflow as tf


class Plain:
    def __init__(self, variables, lr=0.1):
        self.variables = list(variables)
        self.lr = lr
        self.m = [tf.Variable(tf.zeros_like(v)) for v in self.variables]

    def apply(self, grads):
        for var, m, g in zip(self.variables, self.m, grads):
            m.assign(0.9 * m + g)
            var.assign_sub(self.lr * m)


class Slow:
    def __init__(self, inner, share=0.5):
        self.inner, self.share = inner, share
        self.slow = [tf.Variable(v) for v in inner.variables]

    def apply(self, grads):
        self.inner.apply(grads)
        for s, v in zip(self.slow, self.inner.variables):
            s.assign_add(self.share * (v - s))


def minimize(loss_fn, optimizer, variables, steps):
    losses = []
    for _ in range(steps):
        with tf.GradientTape() as tape:
            loss = loss_fn()
        optimizer.apply(tape.gradient(loss, variables))
        losses.append(float(loss))
    return losses


def pick(rows, at):
    return tf.gather(rows, at) * 2.0
"""
CHANGES = {
    "an optimizer": ("0.9 * m + g", "m * 0.9 + g", "0.8 * m + g", "Plain.apply"),
    "one around another": ("self.share * (v - s)", "(v - s) * self.share", "v - s", "Slow.apply"),
    "a loss without arguments": (
        "float(loss)",
        "loss.numpy().item()",
        "0.0 * float(loss)",
        "minimize",
    ),
    "indices": ("* 2.0", "* (1.0 + 1.0)", "* 3.0", "pick"),
}


@pytest.mark.parametrize(("before", "right", "wrong", "unit"), CHANGES.values(), ids=CHANGES)
def test_arguments_are_found(
    before: str, right: str, wrong: str, unit: str, verify_of_many: Verify
) -> None:
    assert outcomes(verify_of_many(TEXT, TEXT.replace(before, right))) == {unit: "equivalent"}
    assert outcomes(verify_of_many(TEXT, TEXT.replace(before, wrong))) == {unit: "differs"}


def test_what_keeps_from_dividing_by_nothing_stands_where_it_stood(verify_of_many: Verify) -> None:
    text = """\
import tensorflow as tf


class Rms:
    def __init__(self, variables, eps=1e-7):
        self.variables = list(variables)
        self.eps = eps
        self.v = [tf.Variable(tf.zeros_like(v)) for v in self.variables]

    def apply(self, grads):
        for var, v, g in zip(self.variables, self.v, grads):
            v.assign(0.9 * v + 0.1 * tf.square(g))
            var.assign_sub(0.1 * g / (tf.sqrt(v) + self.eps))
"""
    wrong = text.replace("tf.sqrt(v) + self.eps", "tf.sqrt(v + self.eps)")
    assert outcomes(verify_of_many(text, wrong)) == {"Rms.apply": "differs"}
    right = text.replace("tf.sqrt(v) + self.eps", "self.eps + tf.sqrt(v)")
    assert outcomes(verify_of_many(text, right)) == {"Rms.apply": "equivalent"}


def test_a_class_that_lacks_what_others_have_is_no_argument(verify_of_many: Verify) -> None:
    text = """\
import tensorflow as tf


class Base:
    def __init__(self, variables):
        self.variables = list(variables)

    def apply(self, grads):
        for var, g in zip(self.variables, grads):
            self.update(var, g)


class Plain(Base):
    def update(self, var, g):
        var.assign_sub(0.1 * g)


class Slow:
    def __init__(self, inner):
        self.inner = inner

    def apply(self, grads):
        self.inner.apply(grads)
        for v in self.inner.variables:
            v.assign(0.5 * v)
"""
    assert outcomes(verify_of_many(text, text.replace("0.5 * v", "v * 0.5"))) == {
        "Slow.apply": "equivalent"
    }
    assert outcomes(verify_of_many(text, text.replace("0.5 * v", "0.6 * v"))) == {
        "Slow.apply": "differs"
    }


KEYED = """\
import tensorflow as tf

slots, seen = {}, set()
variables = [tf.Variable([0.1, 0.2]), tf.Variable([0.3, 0.4])]


def update(gradients):
    for gradient, variable in zip(gradients, variables):
        m = slots.setdefault((variable.ref(), "m"), tf.Variable(tf.zeros_like(variable)))
        seen.add(variable.ref())
        m.assign(0.9 * m + 0.1 * gradient)
        variable.assign_sub(0.3 * m / tf.norm(m))


for turn in range(3):
    update([v * v + 0.1 * turn for v in variables])
print(variables[0].numpy())
"""


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("0.3 * m / tf.norm(m)", "m / tf.norm(m) * 0.3", "equivalent"),
        ("(variable.ref(), ", "(variables[0].ref(), ", "differs"),
        ("seen.add(variable.ref())", "seen.add(variables[0].ref())", "differs"),
    ],
)
def test_what_a_variable_leads_to_is_found_by_it_whatever_it_holds(
    old: str, new: str, expected: str, verify_of_many: Verify
) -> None:
    assert outcomes(verify_of_many(KEYED, KEYED.replace(old, new))) == {"update": expected}


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("0.3 * m / tf.norm(m)", "m / tf.norm(m) * 0.3", "equivalent"),
        ("id(variable)", "id(variables[0])", "differs"),
    ],
)
@pytest.mark.parametrize("key", ['(id(variable), "m")', "id(variable)"])
def test_an_address_as_a_key_stands_for_what_lies_there(
    key: str, old: str, new: str, expected: str, verify_of_many: Verify
) -> None:
    text = KEYED.replace('(variable.ref(), "m")', key)
    assert outcomes(verify_of_many(text, text.replace(old, new))) == {"update": expected}


DECAYED = """\
import tensorflow as tf

variables = [tf.Variable([[0.5, -2.0]]), tf.Variable([0.25])]


def update(gradients):
    for gradient, variable in zip(gradients, variables):
        decayed = 1e-4 * variable if variable.shape.rank > 1 else 0.0
        variable.assign_sub(0.1 * (gradient + decayed))


for turn in range(4):
    update([v - 1.0 for v in variables])
update([tf.zeros_like(v) for v in variables])
print("%.2f" % variables[1].numpy()[0])
"""


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("0.1 * (gradient + decayed)", "0.1 * decayed + 0.1 * gradient", "equivalent"),
        # The values are off by less than what many updates may make of the last digit.
        ("0.1 * (gradient + decayed)", "0.1 * gradient", "differs"),
        (" if variable.shape.rank > 1 else 0.0", "", "differs"),
    ],
)
def test_what_a_call_changes_is_seen_from_the_same_state(
    old: str, new: str, expected: str, verify_of_many: Verify
) -> None:
    assert outcomes(verify_of_many(DECAYED, DECAYED.replace(old, new), power=True)) == {
        "update": expected
    }
