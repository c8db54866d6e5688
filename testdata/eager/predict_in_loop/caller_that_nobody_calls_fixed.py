# A function that nobody calls hands over who knows what; what the program does is known all the same.
import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(2)])
model.set_weights([np.full_like(w, 0.5) for w in model.get_weights()])


def scores(network, row):
    return network.predict_on_batch(row[np.newaxis, ...])


def unused(network, rows):
    return [scores(network, row) for row in rows]


def main(rows):
    best = []
    for row in rows:
        best.append(int(np.argmax(scores(model, row))))
    return best


print(main(np.ones([400, 4], "float32"))[:3])
