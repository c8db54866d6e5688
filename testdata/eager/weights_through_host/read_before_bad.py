# Weights that are read before a training step, mixed by more than arithmetic, or shown afterwards stay where they are read.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(4)
rng = np.random.RandomState(4)


def network():
    return tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(2)])


online, target, third, fourth = network(), network(), network(), network()
online.compile("sgd", "mse")
sizes = []
for step in range(30):
    before = online.get_weights()
    xs = rng.rand(8, 4).astype(np.float32)
    online.train_on_batch(xs, xs[:, :2])
    target.set_weights(before)
    sizes.append(float(np.abs(before[0]).sum()))
for step in range(30):
    xs = rng.rand(8, 4).astype(np.float32)
    online.train_on_batch(xs, xs[:, :2])
    third.set_weights([np.sign(w) * np.sqrt(np.abs(w)) for w in online.get_weights()])
for step in range(30):
    xs = rng.rand(8, 4).astype(np.float32)
    online.train_on_batch(xs, xs[:, :2])
    mixed = fourth.get_weights()
    for i, weight in enumerate(online.get_weights()):
        mixed[i] = 0.2 * weight + 0.8 * mixed[i]
    fourth.set_weights(mixed)
    sizes.append(float(np.abs(mixed[0]).sum()))
print(len(sizes), [w.shape for w in third.get_weights()])
