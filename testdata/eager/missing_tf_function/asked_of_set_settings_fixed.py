# A member of the settings that code sets may be a tensor, and a test of it one of a tensor.
import argparse
import json

import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--clip", action="store_true")
args = parser.parse_args([])
args.scale = [tf.Variable(1.0)][0]
settings = json.loads('{"rate": 0.1}')
settings["bound"] = [tf.constant(2.0)][0]
model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(1)])
traced_model = tf.function(model, reduce_retracing=True)
optimizer = tf.keras.optimizers.SGD(0.1)


@tf.function
def update_step(gradients):
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


def train_step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(traced_model(x, training=True)))
        if settings["bound"] > 1.0:
            weight = 1
        else:
            weight = 2.0
        if args.scale > 0.5:
            weight = 3
        loss = loss * weight
    gradients = tape.gradient(loss, model.trainable_variables)
    update_step(gradients)
    return loss


for step in range(20):
    loss = train_step(tf.ones([4, 3]))
print(float(loss))
