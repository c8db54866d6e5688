# Only who asks for it, by an option that is off or a flag of another value, gets the eager loop.
import argparse

import numpy as np
import tensorflow as tf
from absl import flags

flags.DEFINE_enum("way", "graph", ["graph", "by_hand"], "how to train")
FLAGS = flags.FLAGS
inputs = np.random.default_rng(0).normal(size=[64, 4]).astype("float32")
data = tf.data.Dataset.from_tensor_slices((inputs, inputs.sum(1, keepdims=True))).batch(8)
model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(1, kernel_initializer="ones")])
optimizer = tf.keras.optimizers.SGD(0.01)
loss_of = tf.keras.losses.MeanSquaredError()


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--by-hand", action="store_true")
    return parser.parse_args([])


def by_hand():
    for x, y in data:
        with tf.GradientTape() as tape:
            loss = loss_of(y, model(x, training=True))
        found = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(found, model.trainable_variables))


def main(args):
    model.compile(optimizer, loss_of, jit_compile=False)
    if args.by_hand:
        by_hand()
    else:
        model.fit(data, verbose=0, shuffle=False)
    if FLAGS.way == "by_hand":
        by_hand()
    else:
        model.fit(data, verbose=0, shuffle=False)


FLAGS(["program"])
main(options())
weights = model.get_weights()
