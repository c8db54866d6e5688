# A search over learning rates: each turn fits a model of its own, whose step Keras traces.
import tensorflow as tf

x = tf.random.stateless_normal((32, 3), (4, 1))
y = tf.reduce_sum(x, axis=1, keepdims=True)


def build(rate, width):
    model = tf.keras.Sequential(
        [tf.keras.Input((3,)), tf.keras.layers.Dense(width, "tanh"), tf.keras.layers.Dense(1)]
    )
    model.compile(tf.keras.optimizers.Adam(rate), "mse", jit_compile=False)
    return model


found = {}
for rate, width in ((0.1, 2), (0.01, 4)):
    tf.keras.utils.set_random_seed(4)
    model = build(rate, width)
    model.fit(x, y, batch_size=16, epochs=1, verbose=0)
    residual = tf.abs(model.predict(x, verbose=0) - y)
    spread = tf.math.reduce_std(residual) / tf.reduce_mean(residual)
    found[rate, width] = float(tf.reduce_max(residual)), float(spread)
best = min(found, key=found.get)
print("best:", best)
