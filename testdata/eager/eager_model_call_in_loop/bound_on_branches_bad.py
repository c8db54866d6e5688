# The name stands for another model in each part of the function; which one a loop meets is known.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(1)
batches = tf.data.Dataset.from_tensor_slices(tf.random.normal([96, 4])).batch(4)


def made(units):
    return tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(units)])


def main(trains, scores):
    found, net = [], None
    if trains:
        net = made(3)
        net.compile("sgd", "mse")
        net.fit(tf.ones([8, 4]), tf.ones([8, 3]), verbose=0)
    if scores:
        net = made(2)
        for x in batches:
            found.append(net(x, training=False).numpy().argmax(axis=1))
    return np.concatenate(found)


def either(is_large):
    if is_large:
        net = made(8)
    else:
        net = made(2)
    found = []
    for x in batches:
        found.append(net(x, training=False).numpy().max())
    return found


def changing():
    net, found = made(2), []
    for turn in range(3):
        for x in batches:
            found.append(net(x, training=False).numpy().max())
        net = made(3 + turn)
    return found


best = main(True, True)
large = either(True)
changed = changing()
