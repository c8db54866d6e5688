# Only the first turn passes `if number == 0`; the loop computes nothing else.
import tensorflow as tf

kernel = tf.Variable([[0.1], [0.8]])
rows = tf.random.stateless_normal([30, 2], [3, 3])
pairs = tf.data.Dataset.from_tensor_slices((rows, rows[:, 1:])).batch(2)
sizes, first = 0, None
for number, (x, y) in enumerate(pairs):
    if number == 0:
        with tf.GradientTape() as tape:
            error = tf.reduce_mean(tf.square(tf.matmul(x, kernel) - y))
        slope = tape.gradient(error, kernel)
        first = (float(tf.norm(slope)), float(tf.reduce_max(slope)))
    sizes += x.shape[0]
