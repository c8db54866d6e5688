# Each turn makes a model of its own and asks it once: a tf.function of it would be traced for that one call.
import tensorflow as tf

tf.keras.utils.set_random_seed(5)
inputs = tf.random.stateless_normal([16, 6], seed=[1, 2])
spreads = []
for units in range(8, 48):
    model = tf.keras.Sequential(
        [
            tf.keras.Input([6]),
            tf.keras.layers.Dense(units, activation="tanh"),
            tf.keras.layers.Dense(units, activation="tanh"),
            tf.keras.layers.Dense(1),
        ]
    )
    spreads.append(tf.math.reduce_std(model(inputs)))

widest = float(tf.reduce_max(spreads))
print(widest)
