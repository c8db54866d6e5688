# A comprehension over two lists of weights, and a list that a loop fills, are copies on the host too.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(1)
rng = np.random.RandomState(0)
online = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(2)])
target = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(2)])
third = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(2)])
online.compile("sgd", "mse")

for step in range(40):
    xs = rng.rand(8, 4).astype(np.float32)
    online.train_on_batch(xs, xs[:, :2])
    pairs = zip(online.get_weights(), target.get_weights())
    target.set_weights([0.1 * new + 0.9 * old for new, old in pairs])
    collected = []
    for new, old in zip(online.get_weights(), third.get_weights()):
        collected.append(0.5 * new + 0.5 * old)
    third.set_weights(collected)
final = np.concatenate([w.ravel() for w in (*target.get_weights(), *third.get_weights())])
print(final.shape)
