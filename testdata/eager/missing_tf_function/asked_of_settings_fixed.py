# What a command line and a file of settings say is Python's own: tests of it stay in Python in a trace.
import argparse
import json
import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--clip", action="store_true")
parser.add_argument("--weight", type=float, default=0.5)
args = parser.parse_args([])
settings = json.loads('{"train": {"squared": true}}')
model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.1)


@tf.function
def train_step(x):
    with tf.GradientTape() as tape:
        y = model(x, training=True)
        if settings["train"]["squared"]:
            y = tf.square(y)
        loss = tf.reduce_mean(y)
        if args.weight > 0.1:
            loss = loss * args.weight
    gradients = tape.gradient(loss, model.trainable_variables)
    if args.clip:
        gradients = [tf.clip_by_value(g, -1.0, 1.0) for g in gradients]
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


for step in range(20):
    loss = train_step(tf.ones([4, 3]))
print(float(loss))
