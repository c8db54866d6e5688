# A copy in every twentieth step, one for each episode, and weights read before the loop are few copies.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(1)
rng = np.random.RandomState(0)
online = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(2)])
target = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(2)])
online.compile("sgd", "mse")
start = online.get_weights()

for episode in range(10):
    for step in range(20):
        xs = rng.rand(8, 4).astype(np.float32)
        online.train_on_batch(xs, xs[:, :2])
        if step % 20 == 0:
            target.set_weights(online.get_weights())
    target.set_weights(online.get_weights())
for trial in range(30):
    noisy = [weight + rng.normal(size=weight.shape) for weight in start]
    target.set_weights(noisy)
final = np.concatenate([w.ravel() for w in target.get_weights()])
print(final.shape)
