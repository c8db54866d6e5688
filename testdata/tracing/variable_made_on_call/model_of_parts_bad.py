# The model of an inner layer's output is put together again for each batch; once would do.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
rows = tf.keras.Input([4])
inside = tf.keras.layers.Dense(6, activation="relu")(rows)
model = tf.keras.Model(rows, tf.keras.layers.Dense(2)(inside))


def explained(batches, with_gradients):
    kept = []
    for number, batch in enumerate(batches):
        if with_gradients:
            inner = tf.keras.models.Model(model.inputs, [inside, *model.outputs])
            with tf.GradientTape() as tape:
                hidden, scores = inner(batch)
                score = scores[:, 0]
            weights = tape.gradient(score, hidden)
            kept.append([number, *(float(w) for w in tf.reduce_sum(weights * hidden, axis=1))])
    return np.array(kept)


batches = np.random.RandomState(1).rand(40, 3, 4).astype("float32")
shown = explained(batches, with_gradients=True)
