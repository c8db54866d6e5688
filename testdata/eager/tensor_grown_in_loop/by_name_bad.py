# A dict holds a tensor for each name, and each turn of the outer loop makes all of them longer.
import tensorflow as tf

tf.keras.utils.set_random_seed(5)
NAMES = ["wide", "narrow"]
layers = {name: tf.keras.layers.Dense(size) for name, size in zip(NAMES, [8, 2])}
rows = tf.random.normal([300, 6])


@tf.function
def given(batch):
    return {name: layer(batch) for name, layer in layers.items()}


def collected(size):
    kept = {"wide": tf.zeros([0, 8]), "narrow": tf.zeros([0, 2])}
    for start in range(0, 300, size):
        parts = given(rows[start : start + size])
        for name in NAMES:
            kept[name] = tf.concat((kept[name], parts[name]), axis=0)
    return kept


kept = collected(10)
total = float(tf.reduce_sum(kept["wide"]) + tf.reduce_sum(kept["narrow"]))
