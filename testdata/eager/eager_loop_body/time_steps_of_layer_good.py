# A loop over time in the `call` of a layer, which only a traced step and `predict` ever run.
import tensorflow as tf


class Reader(tf.keras.layers.Layer):
    def __init__(self, length, units):
        super().__init__()
        self.length = length
        self.cell = tf.keras.layers.LSTMCell(units)
        self.head = tf.keras.layers.Dense(3)

    def call(self, inputs):
        state = self.cell.get_initial_state(batch_size=tf.shape(inputs)[0])
        total = 0.0
        for position in range(self.length):
            output, state = self.cell(inputs[:, position], state)
            total += tf.nn.softmax(self.head(tf.tanh(output) * 0.5))
        return total / self.length


tf.keras.utils.set_random_seed(6)
series = tf.random.stateless_normal([12, 5, 2], [6, 6])
labels = tf.range(12) % 3
model = tf.keras.Sequential([tf.keras.Input((5, 2)), Reader(5, 8)])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(), jit_compile=False)
model.fit(series, labels, batch_size=4, epochs=1, verbose=0)
chances = model.predict(series, verbose=0)
