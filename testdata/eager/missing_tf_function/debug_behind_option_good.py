# The step is decorated; only somebody who asks for it by an option runs it eagerly.
import argparse

import tensorflow as tf

weights = tf.Variable(tf.ones([3, 1]))
optimizer = tf.keras.optimizers.SGD(0.1)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ weights - y))
    gradients = tape.gradient(loss, [weights])
    optimizer.apply_gradients(zip(gradients, [weights]))
    return loss


def main(arguments):
    parser = argparse.ArgumentParser()
    parser.add_argument("--debug", action="store_true")
    parser.add_argument("--steps", type=int, default=20)
    options = parser.parse_args(arguments)
    if options.debug:
        tf.config.run_functions_eagerly(True)
    x, y = tf.ones([4, 3]), tf.zeros([4, 1])
    for step in range(options.steps):
        loss = train_step(x, y)
    return float(loss)


if __name__ == "__main__":
    loss = main([])
