# A print below the tape reads only the loss, so that it can follow the step outside of the trace.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(6)
rng = np.random.default_rng(6)


class Reader(tf.keras.Model):
    def __init__(self, length):
        super().__init__()
        self.length = length
        self.cell = tf.keras.layers.LSTMCell(8)
        self.head = tf.keras.layers.Dense(3)

    def call(self, inputs):
        state = self.cell.get_initial_state(batch_size=4)
        for position in range(self.length):
            output, state = self.cell(inputs[:, position], state)
        return self.head(output)


model = Reader(length=5)
optimizer = tf.keras.optimizers.Adam(0.01)


@tf.function
def train_step(series, labels):
    with tf.GradientTape() as tape:
        logits = model(series)
        loss = tf.keras.losses.sparse_categorical_crossentropy(labels, logits, from_logits=True)
        loss = tf.reduce_mean(loss)
    gradients = tape.gradient(loss, model.variables)
    optimizer.apply_gradients(zip(gradients, model.variables))
    return loss


for batch in range(5):
    series = rng.normal(size=[4, 5, 2]).astype(np.float32)
    labels = rng.integers(0, 3, size=[4])
    loss = train_step(tf.constant(series), tf.constant(labels))
    print("batch %d: loss %.4f" % (batch, loss.numpy()))
