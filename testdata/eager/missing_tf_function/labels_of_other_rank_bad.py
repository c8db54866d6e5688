# Keras 2 takes the logits of the sigmoid in a graph, and refuses labels of another shape there, which eager execution broadcasts.
# tf-version: 2.15
import tensorflow as tf

weights = tf.Variable([[0.5], [-0.25], [0.125]])
optimizer = tf.keras.optimizers.SGD(0.1)
rows = tf.reshape(tf.linspace(-1.0, 1.0, 12), [4, 3])


def descend(rows):
    kept = tf.ones([4])
    with tf.GradientTape() as tape:
        chances = tf.sigmoid(rows @ weights)
        losses = tf.keras.backend.binary_crossentropy(kept, chances)
        loss = tf.reduce_mean(losses)
    gradients = tape.gradient(loss, [weights])
    optimizer.apply_gradients(zip(gradients, [weights]))
    return loss


for _ in range(40):
    loss = descend(rows)
