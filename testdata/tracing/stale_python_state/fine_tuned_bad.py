# What is frozen or thawed between two trainings stays as it was, where `compile` is not called again.
import numpy as np
import tensorflow as tf

images, labels = np.random.rand(64, 8), np.random.rand(64, 1)
base = tf.keras.Sequential([tf.keras.Input([8]), tf.keras.layers.Dense(4)])
base.trainable = False
model = tf.keras.Sequential([base, tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(images, labels, epochs=5)
base.trainable = True
model.fit(images, labels, epochs=5)

other = tf.keras.Sequential([tf.keras.layers.Dense(4), tf.keras.layers.Dense(1)])
other.compile("adam", "mse")
other.fit(images, labels)
for layer in other.layers[:1]:
    layer.trainable = False
other.fit(images, labels)
