# The step is given vectors and matrices: a relaxed trace would know no rank of them.
import tensorflow as tf

series = tf.random.stateless_normal([40], seed=[1, 2])
table = tf.reshape(series, [20, 2])
scale = tf.Variable(2.0)
descent = tf.keras.optimizers.SGD(0.1)

for data in [series, table]:
    for size in range(2, 20):
        part = data[:size]
        with tf.GradientTape() as tape:
            spread = tf.reduce_mean(tf.square(part * scale))
        slopes = tape.gradient(spread, [scale])
        descent.apply_gradients(zip(slopes, [scale]))
