"""State that a step reads by code that no call shows: properties, operators, look-ups."""

import functools
import types

import tensorflow as tf

x = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
y = tf.constant([[1.0], [2.0], [3.0]])


class Annealed:
    """Weights that fall from step to step."""

    def __init__(self):
        self.step = 0
        self.w = tf.Variable(tf.ones([2, 1]))

    @property
    def weight(self):
        return 0.5**self.step

    def __getitem__(self, name):
        return {"weight": 0.5**self.step}[name]

    def __mul__(self, loss):
        return loss * 0.5**self.step

    def fit(self, turns):
        for self.step in range(turns):
            with tf.GradientTape() as tape:
                loss = self.weight * tf.reduce_mean((x @ self.w - y) ** 2)
            self.w.assign_sub(0.01 * tf.clip_by_norm(tape.gradient(loss, self.w), 1.0))


class Settings(dict):
    """A dict whose members are attributes."""

    __getattr__ = dict.__getitem__


def by_item(turns):
    annealed, w = Annealed(), tf.Variable(tf.ones([2, 1]))
    for _ in range(turns):
        with tf.GradientTape() as tape:
            loss = annealed["weight"] * tf.reduce_mean((x @ w - y) ** 2)
        w.assign_sub(0.01 * tf.clip_by_norm(tape.gradient(loss, w), 1.0))
        annealed.step += 1
    return w


def by_operator(turns):
    annealed, w = Annealed(), tf.Variable(tf.ones([2, 1]))
    for _ in range(turns):
        with tf.GradientTape() as tape:
            loss = annealed * tf.reduce_mean((x @ w - y) ** 2)
        w.assign_sub(0.01 * tf.clip_by_norm(tape.gradient(loss, w), 1.0))
        annealed.step += 1
    return w


def by_look_up(turns):
    settings, w = Settings(weight=1.0), tf.Variable(tf.ones([2, 1]))
    for _ in range(turns):
        with tf.GradientTape() as tape:
            loss = settings.weight * tf.reduce_mean((x @ w - y) ** 2)
        w.assign_sub(0.01 * tf.clip_by_norm(tape.gradient(loss, w), 1.0))
        settings["weight"] *= 0.5
    return w


def by_partial(turns):
    settings, w = {"margin": 1.0}, tf.Variable(tf.ones([2, 1]))
    hinge = functools.partial(
        lambda c, p: tf.reduce_mean(tf.nn.relu(c["margin"] - y * p)), settings
    )
    for _ in range(turns):
        with tf.GradientTape() as tape:
            loss = hinge(tf.tanh(x @ w))
        w.assign_sub(0.01 * tf.clip_by_norm(tape.gradient(loss, w), 1.0))
        settings["margin"] *= 0.5
    return w


def by_open_object(options, turns):
    w = tf.Variable(tf.ones([2, 1]))
    for _ in range(turns):
        with tf.GradientTape() as tape:
            loss = options.scale * tf.reduce_mean((x @ w - y) ** 2)
        w.assign_sub(0.01 * tf.clip_by_norm(tape.gradient(loss, w), 1.0))
        options.scale *= 0.5
    return w


def by_dict_of_object(options, turns):
    w = tf.Variable(tf.ones([2, 1]))
    for _ in range(turns):
        with tf.GradientTape() as tape:
            loss = options.decay * tf.reduce_mean((x @ w - y) ** 2)
        w.assign_sub(0.01 * tf.clip_by_norm(tape.gradient(loss, w), 1.0))
        options.__dict__.update(decay=options.decay / 2)
    return w


annealed = Annealed()
annealed.fit(4)
weights = [by_item(4), by_operator(4), by_look_up(4), by_partial(4)]
weights.append(by_open_object(types.SimpleNamespace(scale=1.0), 4))
weights.append(by_dict_of_object(types.SimpleNamespace(decay=1.0), 4))
