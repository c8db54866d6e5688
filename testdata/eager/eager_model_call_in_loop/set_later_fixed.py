# The attribute is None until `build` sets it; where it is called it is the model.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(3)


class Writer:
    def __init__(self):
        self.decoder = None

    def build(self):
        self.decoder = tf.keras.Sequential([tf.keras.Input([5]), tf.keras.layers.Dense(5)])
        self.traced_decoder = tf.function(self.decoder, reduce_retracing=True)

    def write(self, length):
        state = tf.ones([1, 5])
        found = []
        for _ in range(length):
            state = self.traced_decoder(state)
            found.append(int(np.argmax(state.numpy())))
        return found


writer = Writer()
writer.build()
found = writer.write(40)
