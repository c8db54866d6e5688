# Globals, a list, an array changed in place and a closure change after the trace that read them.
import numpy as np
import tensorflow as tf

rate = 0.1
mask = np.ones(3, np.float32)
names = ["first"]
offset = tf.constant(1.0)
weight = tf.Variable([4.0, 4.0, 4.0])


def scaled(x):
    return x * rate


@tf.function
def step(x):
    weight.assign_sub(scaled(x) * mask)
    return weight * float(len(names))


@tf.function
def shifted(x):
    return x + offset


def train(x, rounds):
    phase = 0

    @tf.function
    def run(y):
        return y + float(phase)

    for _ in range(rounds):
        x = run(x)
        phase += 1
    return x


def decay():
    global rate
    rate = rate * 0.5


gradient = tf.constant([1.0, 1.0, 1.0])
for epoch in range(4):
    step(gradient)
    decay()
    mask[epoch % 3] = 0.0
    names.append("next")

before = shifted(gradient)
offset = tf.constant(2.0)
after = shifted(gradient)
train(gradient, 3)
