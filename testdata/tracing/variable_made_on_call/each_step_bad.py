# Every step makes its own Adam, which never sees a second gradient, so that its moments mean nothing.
import tensorflow as tf

weight = tf.Variable(tf.ones([4, 2]))
x = tf.reshape(tf.linspace(-1.0, 1.0, 32), [8, 4])


def step(x):
    optimizer = tf.keras.optimizers.Adam(0.01)
    with tf.GradientTape() as tape:
        error = tf.reduce_mean(tf.square(tf.matmul(x, weight)))
    optimizer.apply_gradients([(tape.gradient(error, weight), weight)])
    return error


for _ in range(100):
    error = step(x)
result = weight.numpy()
