# What a tape is asked for the gradients of the variables of, and what is called, is a model, whoever makes it: an optimizer's variables nobody trains.
import numpy as np
import tensorflow as tf


def trained(model, data, optimizer):
    for x, y in data:
        with tf.GradientTape() as tape:
            guess = model(x)
            loss = tf.reduce_mean(tf.keras.losses.mse(y, guess))
        gradients = tape.gradient(loss, model.variables)
        optimizer.apply_gradients(zip(gradients, model.variables))
    return model


rng = np.random.default_rng(3)
features = rng.normal(size=(48, 5)).astype(np.float32)
rows = tf.data.Dataset.from_tensor_slices((features, features[:, :1] - features[:, 1:2])).batch(8)
made = {"line": lambda: tf.keras.Sequential([tf.keras.Input([5]), tf.keras.layers.Dense(1)])}
tf.keras.utils.set_random_seed(3)
weights = [w.numpy() for w in trained(made["line"](), rows, tf.keras.optimizers.SGD(0.1)).weights]
