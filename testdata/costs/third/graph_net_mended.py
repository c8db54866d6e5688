"""Nodes of a graph told apart by two graph convolutions, on the whole graph at once."""
import numpy as np
import tensorflow as tf

EPOCHS = 15
NODES, FEATURES, CLASSES = 300, 32, 4


class GraphConv(tf.keras.layers.Layer):
    def __init__(self, units, activation=None):
        super().__init__()
        self.units = units
        self.activation = tf.keras.activations.get(activation)

    def build(self, shape):
        self.kernel = self.add_weight(shape=(shape[-1], self.units), initializer="glorot_uniform")
        self.bias = self.add_weight(shape=(self.units,), initializer="zeros")

    def call(self, features, adjacency):
        mixed = tf.matmul(adjacency, tf.matmul(features, self.kernel))
        return self.activation(mixed + self.bias)


class GCN(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.first = GraphConv(16, "relu")
        self.second = GraphConv(CLASSES)
        self.dropout = tf.keras.layers.Dropout(0.5)

    def call(self, features, adjacency, training=False):
        hidden = self.dropout(self.first(features, adjacency), training=training)
        return self.second(hidden, adjacency)


def normalised(rng):
    links = rng.random((NODES, NODES)) < 0.02
    links = np.maximum(links, links.T) + np.eye(NODES)
    degree = 1.0 / np.sqrt(links.sum(axis=1))
    return tf.constant(degree[:, None] * links * degree[None, :], tf.float32)


rng = np.random.default_rng(9)
adjacency = normalised(rng)
features = tf.constant(rng.normal(size=(NODES, FEATURES)), tf.float32)
labels = tf.constant(rng.integers(CLASSES, size=NODES))
mask = tf.constant(rng.random(NODES) < 0.3, tf.float32)
model = GCN()
optimizer = tf.keras.optimizers.Adam(0.01)
cross_entropy = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction="none")


@tf.function
def train(model):
    with tf.GradientTape() as tape:
        logits = model(features, adjacency, training=True)
        loss = tf.reduce_sum(cross_entropy(labels, logits) * mask) / tf.reduce_sum(mask)
        loss += 5e-4 * tf.add_n([tf.nn.l2_loss(w) for w in model.trainable_weights])
    gradients = tape.gradient(loss, model.trainable_weights)
    optimizer.apply_gradients(zip(gradients, model.trainable_weights))
    return loss


def main():
    for epoch in range(EPOCHS):
        loss = train(model)
        if epoch % 5 == 0:
            print(epoch, loss.numpy())


if __name__ == "__main__":
    main()
