# The factor stands among the lines that only copy and mix, and stays where it is: the loop over the variables reads it, too.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(6)


def network():
    return tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(2)])


online, target = network(), network()
online.compile("sgd", "mse")


def follow():
    tau = 0.1
    mine = online.get_weights()
    mixed = target.get_weights()
    for i in range(len(mixed)):
        mixed[i] = tau * mine[i] + (1 - tau) * mixed[i]
    target.set_weights(mixed)


for step in range(40):
    online.train_on_batch(np.ones([8, 4]), np.ones([8, 2]))
    follow()
trained = [weight.tolist() for weight in target.get_weights()]
