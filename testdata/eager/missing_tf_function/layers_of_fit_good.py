# The `call` of a layer and its helpers: `fit` and `predict` trace them, one epoch after the other.
import tensorflow as tf


class Attention(tf.keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.query = tf.keras.layers.Dense(units)
        self.key = tf.keras.layers.Dense(units)
        self.scale = units**-0.5

    def scores(self, inputs):
        products = tf.matmul(self.query(inputs), self.key(inputs), transpose_b=True)
        products = products * self.scale
        return tf.nn.softmax(products - tf.reduce_max(products, axis=-1, keepdims=True))

    def call(self, inputs):
        mixed = tf.matmul(self.scores(inputs), inputs)
        return tf.tanh(mixed) + 0.1 * tf.square(inputs)


tf.keras.utils.set_random_seed(6)
series = tf.random.stateless_normal([16, 5, 2], [6, 6])
model = tf.keras.Sequential(
    [tf.keras.Input((5, 2)), Attention(4), tf.keras.layers.Flatten(), tf.keras.layers.Dense(1)]
)
model.compile("sgd", "mse", jit_compile=False)
spreads = []
for epoch in range(3):
    model.fit(series, series[:, 0, :1], batch_size=8, epochs=1, verbose=0)
    spreads.append(float(model.predict(series, verbose=0).std()))
