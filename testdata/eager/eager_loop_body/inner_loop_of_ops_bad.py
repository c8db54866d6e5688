"""What a few operations of an inner loop make of a model's outputs is part of the turn that runs the model."""

import tensorflow as tf

tf.keras.utils.set_random_seed(4)
model = tf.keras.Sequential([tf.keras.Input([8]), tf.keras.layers.Dense(16, activation="tanh"), tf.keras.layers.Dense(8)])
state = tf.ones([1, 8])
total = tf.zeros([1, 8])
for turn in range(200):
    outputs = model(state, training=False)
    for power in range(1, 4):
        total = total + tf.square(outputs) / power
    state = outputs
print(total.numpy())
