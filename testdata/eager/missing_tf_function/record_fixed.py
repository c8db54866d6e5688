"""Where instances have no hash, or no weak reference, the traced function is made for the object."""

from __future__ import annotations

import dataclasses

import tensorflow as tf

tf.keras.utils.set_random_seed(4)
x = tf.random.stateless_normal((16, 3), (4, 1))


@dataclasses.dataclass
class Compared:
    w: tf.Variable

    def step(self, inputs):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(inputs @ self.w - 1.0))
        self.w.assign_sub(0.1 * tape.gradient(loss, self.w))
        return loss


@dataclasses.dataclass(eq=False)
class Told:
    w: tf.Variable

    @tf.function
    def step(self, inputs):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.abs(inputs @ self.w - 1.0))
        self.w.assign_sub(0.1 * tape.gradient(loss, self.w))
        return loss


class Slotted:
    __slots__ = ("w",)

    def __init__(self):
        self.w = tf.Variable(tf.zeros((3, 1)))

    def step(self, inputs):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.exp(inputs @ self.w - 1.0))
        self.w.assign_sub(0.1 * tape.gradient(loss, self.w))
        return loss


class Referable:
    __slots__ = ("__weakref__", "w")

    def __init__(self):
        self.w = tf.Variable(tf.zeros((3, 1)))

    @tf.function
    def step(self, inputs):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.cosh(inputs @ self.w - 1.0))
        self.w.assign_sub(0.1 * tape.gradient(loss, self.w))
        return loss


compared = Compared(tf.Variable(tf.zeros((3, 1))))
told = Told(tf.Variable(tf.zeros((3, 1))))
slotted = Slotted()
referable = Referable()
traced_step = tf.function(compared.step)
traced_step_2 = tf.function(slotted.step)
for _ in range(30):
    losses = [traced_step(x), told.step(x), traced_step_2(x), referable.step(x)]
print([round(float(loss), 4) for loss in losses])
