# Lists, layers, tape gradients and traced loops have no rows that operations could take at once.
import tensorflow as tf

pair = tf.ones([2, 5])
words = ["a", "bcd", "ef"]
layers = [tf.keras.layers.Dense(2) for _ in range(6)]
rows = tf.reshape(tf.range(60.0), [20, 3])


@tf.function
def traced(x):
    return tf.stack([tf.square(x[i]) for i in range(20)])


def unpacked():
    return tf.stack([row for row in rows])


def gradients(x):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = tf.square(x)
    return tf.stack([tape.gradient(y, x) * rows[i, 0] for i in range(20)])


def given(tensors):
    return tf.stack([tf.square(t) for t in tensors])


entry = tf.keras.Input([3])
parts = [tf.keras.layers.Dense(4)(entry), tf.keras.layers.Dense(2)(entry)]
split = tf.keras.Model(entry, [parts, tf.keras.layers.Dense(1)(entry)])


def squares():
    found, _ = split(rows)
    return tf.concat([tf.square(part) for part in found], axis=1)


def of_elements(parts):
    totals = []
    for element in tf.data.Dataset.from_tensor_slices(tuple(part for part in parts)).batch(9):
        first = element[:-1]
        totals.append(tf.add_n([tf.reduce_sum(tf.square(first[i])) for i in range(len(first))]))
    return totals


few = tf.stack([tf.reduce_sum(half) for half in pair])
lengths = tf.stack([tf.strings.length(word) for word in words])
heads = tf.concat([layer(rows) for layer in layers], axis=1)
out = [of_elements([rows, rows, rows]), squares(), traced(rows), unpacked(), gradients(rows), given([rows, rows + 1.0])]
