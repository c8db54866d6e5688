# `compile` after each change of `trainable`, also by a function; and a value that it had already.
import numpy as np
import tensorflow as tf

images, labels = np.random.rand(64, 8), np.random.rand(64, 1)


def start_again(network):
    network.compile("sgd", "mse")


base = tf.keras.Sequential([tf.keras.Input([8]), tf.keras.layers.Dense(4)])
base.trainable = False
model = tf.keras.Sequential([base, tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(images, labels, epochs=5)
base.trainable = True
model.compile("adam", "mse")
model.fit(images, labels, epochs=5)
base.trainable = False
start_again(model)
model.fit(images, labels, epochs=5)
base.trainable = False
model.fit(images, labels, epochs=5)

other = tf.keras.Sequential([tf.keras.layers.Dense(4)])
other.compile("adam", "mse")
other.fit(images, labels)
base.trainable = True
other.fit(images, labels)
