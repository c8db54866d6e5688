"""A parameter decides: it is off by default, or the one call in sight turns it off."""

import argparse

import tensorflow as tf

tf.keras.utils.set_random_seed(3)
x = tf.reshape(tf.range(24.0) / 24.0, [8, 3])
y = tf.reduce_sum(x, axis=1, keepdims=True)
model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(1)])

parser = argparse.ArgumentParser()
parser.add_argument("--debug", action="store_true")
options = parser.parse_args([])


def prepare(slowly=True):
    model.compile(optimizer="sgd", loss="mse", run_eagerly=slowly)


def prepare_for(debug=False):
    model.compile(optimizer="sgd", loss="mse", run_eagerly=debug)


model.compile(optimizer="sgd", loss="mse", run_eagerly=options.debug)
prepare(slowly=False)
prepare_for()
losses = model.fit(x, y, epochs=2, verbose=0, shuffle=False).history["loss"]
