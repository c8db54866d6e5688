# Labels that nothing tells the kind of meet an op that casts none: the trace gets them as they are.
import numpy as np
import tensorflow as tf


class Sequences:
    def __call__(self, rows, dtype):
        places = [[row, at] for row, letters in enumerate(rows) for at in range(len(letters))]
        letters = tf.convert_to_tensor([letter for row in rows for letter in row], dtype)
        return tf.sparse.SparseTensor(tf.constant(places, tf.int64), letters, [len(rows), 4])


class Loss:
    def __call__(self, labels, logits, *rest):
        lengths = tf.fill([4], logits.shape[0])
        losses = tf.nn.ctc_loss(labels, logits, None, lengths, blank_index=-1)
        return tf.reduce_mean(losses)


def labelled(rng):
    sequences = Sequences()
    return rng.randn(6, 4, 3).astype("float32"), sequences([[0], [1, 0], [2], [1]], tf.int32)


def count(labels):
    return tf.reduce_sum(tf.sparse.to_dense(labels))


model = tf.keras.Sequential([tf.keras.Input([4, 3]), tf.keras.layers.Dense(5)])
optimizer = tf.keras.optimizers.SGD(0.1)
loss_of, rng, seen, shown = Loss(), np.random.RandomState(1), [], []


@tf.function
def _train_step(images, labels):
    with tf.GradientTape() as tape:
        loss = loss_of(labels, model(images, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


def train_step(images, labels):
    loss = _train_step(tf.constant(images), labels)
    shown.append(float(count(labels)))
    return loss


for epoch in range(4):
    for step in range(5):
        images, labels = labelled(rng)
        seen.append(train_step(images, labels))
final = float(seen[-1])
