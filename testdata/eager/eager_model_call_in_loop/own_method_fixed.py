# A method of a model that calls the model itself is traced as a whole, once for each model, where nothing in it is Python's.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(4)


class Network(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.inner = tf.keras.layers.Dense(6, activation="relu")
        self.outer = tf.keras.layers.Dense(3)

    def call(self, inputs):
        return self.outer(self.inner(inputs))

    @tf.function(reduce_retracing=True)
    def best(self, inputs):
        values = self(inputs)
        return tf.argmax(values, axis=-1)

    @tf.function(reduce_retracing=True)
    def traced_call(self, inputs):
        return self(inputs)

    def told(self, inputs):
        values = self.traced_call(inputs)
        print("%.4f" % float(tf.reduce_max(values)))
        return values


class Field:
    def __init__(self):
        self.at = np.zeros(3, np.float32)

    def step(self, action):
        self.at = 0.8 * self.at
        self.at[action] += 0.5
        return self.at, float(self.at.sum()), False, {}


field = Field()
chosen, sums = [], []
for network in (Network(), Network()):
    seen, _, _, _ = field.step(0)
    network(tf.zeros([1, 3]))
    for turn in range(30):
        action = network.best(np.expand_dims(seen, axis=0)).numpy()[0]
        seen, reward, done, _ = field.step(int(action))
        chosen.append(int(action))
        sums.append(float(tf.reduce_sum(network.told(np.expand_dims(seen, axis=0)))))
print(chosen, len(sums))
