# The settings of a command line are no argument of a trace: they have no hash. Those of a file are a dict.
import argparse
import json

import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--clip", action="store_true")
args = parser.parse_args([])
args.power = 2
settings = json.loads('{"train": {"squared": true, "rate": 0.5}}')
model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.1)


def train_step(args, x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True)))
    gradients = tape.gradient(loss, model.trainable_variables)
    if args.clip:
        gradients = [tf.clip_by_value(g, -1.0, 1.0) for g in gradients]
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


def test_step(settings, x):
    y = model(x, training=False)
    if settings["train"]["squared"]:
        y = tf.square(y)
    if args.power > 1:
        y = tf.sqrt(y + 1.0)
    return tf.reduce_mean(y)


for step in range(20):
    loss = train_step(args, tf.ones([4, 3]))
    other = test_step(settings, tf.ones([4, 3]))
print(float(loss), float(other))
