"""Gradients of four small batches gathered before each update, for a subclassed network."""
import numpy as np
import tensorflow as tf

EPOCHS = 3
ACCUMULATE = 4


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.conv1 = tf.keras.layers.Conv1D(16, 5, activation="relu")
        self.pool = tf.keras.layers.MaxPooling1D(2)
        self.conv2 = tf.keras.layers.Conv1D(16, 5, activation="relu")
        self.flatten = tf.keras.layers.Flatten()
        self.dropout = tf.keras.layers.Dropout(0.3)
        self.out = tf.keras.layers.Dense(6)

    def call(self, x, training=None):
        x = self.pool(self.conv1(x))
        x = self.flatten(self.conv2(x))
        return self.out(self.dropout(x, training=training))


def load():
    rng = np.random.default_rng(8)
    signals = rng.normal(size=(128, 64, 3)).astype(np.float32)
    classes = rng.integers(6, size=128)
    return tf.data.Dataset.from_tensor_slices((signals, classes)).batch(8)


net = Net()
net(tf.zeros([1, 64, 3]))
optimizer = tf.keras.optimizers.Adam(1e-3)
cce = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
accumulated = [tf.Variable(tf.zeros_like(v), trainable=False) for v in net.trainable_variables]


@tf.function
def accumulate(x, y):
    with tf.GradientTape() as tape:
        loss = cce(y, net(x, training=True)) / ACCUMULATE
    for total, grad in zip(accumulated, tape.gradient(loss, net.trainable_variables)):
        total.assign_add(grad)
    return loss


@tf.function
def apply():
    optimizer.apply_gradients(zip(accumulated, net.trainable_variables))
    for total in accumulated:
        total.assign(tf.zeros_like(total))


dataset = load()
for epoch in range(EPOCHS):
    for i, (x, y) in enumerate(dataset):
        accumulate(x, y)
        if (i + 1) % ACCUMULATE == 0:
            apply()
