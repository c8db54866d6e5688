# What a loop over an object of the code's own brings is what its `__next__`, `__iter__` or `__getitem__` gives: float32 arrays, which a step takes as it is passed them.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(3)])
optimizer = tf.keras.optimizers.SGD(0.05)
told = []


class Rows:
    def __init__(self, size):
        self.size, self.count = size, 0
        self.rng = np.random.default_rng(3)

    def __iter__(self):
        return self

    def __next__(self):
        features = np.zeros((self.size, 4), dtype=np.float32)
        wide = np.zeros((self.size, 3), dtype=np.float32)
        narrow = np.zeros((self.size, 1), dtype=np.float32)
        if self.count < 5:
            features[:] = self.rng.normal(size=(self.size, 4))
            wide[:, 0] = features[:, 1]
            narrow[:, 0] = features[:, 2]
            self.count += 1
            return features, (wide, narrow)
        else:
            self.count = 0
            raise StopIteration


class Streamed:
    def __init__(self, rows):
        self.rows = rows

    def __iter__(self):
        for features, (wide, narrow) in self.rows:
            yield features * 2, wide - narrow


class Indexed:
    def __getitem__(self, index):
        if index >= 4:
            raise IndexError(index)
        return np.full((2, 4), index, dtype=np.float32), np.full((2, 3), 1, dtype=np.float32)


@tf.function
def _train_step(features, target):
    with tf.GradientTape() as tape:
        guess = model(features, training=True)
        loss = 0.0
        for i in range(2):
            loss += tf.reduce_mean(target[i] * guess) + tf.reduce_mean(tf.square(guess - target[i]))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


def train_step(features, target):
    loss = _train_step(tf.constant(features), target)
    told.append("%.3f" % loss.numpy())


@tf.function(reduce_retracing=True)
def nudge(features, shift):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(features) * 0.5 - shift))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


rows = Rows(6)
for turn in range(3):
    for features, target in rows:
        train_step(features, target)
for features, shift in Streamed(Rows(6)):
    nudge(features, tf.constant(shift, tf.float32))
for features, shift in Indexed():
    nudge(features, tf.constant(shift, tf.float32))
print(told, [w.round(3).tolist() for w in model.get_weights()])
