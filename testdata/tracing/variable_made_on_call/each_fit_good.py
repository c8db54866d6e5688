# The optimizer is made for a whole loop of steps, once for each rate that is tried, plain descent keeps
# nothing between steps, and the layers build a model from symbolic tensors.
import tensorflow as tf

x = tf.reshape(tf.linspace(-1.0, 1.0, 32), [8, 4])


def fitted(rate):
    weight = tf.Variable(tf.ones([4, 2]))
    optimizer = tf.keras.optimizers.Adam(rate)
    for _ in range(60):
        with tf.GradientTape() as tape:
            error = tf.reduce_mean(tf.square(tf.matmul(x, weight)))
        optimizer.apply_gradients([(tape.gradient(error, weight), weight)])
    return error


def descend(weight):
    optimizer = tf.keras.optimizers.SGD(0.1)
    with tf.GradientTape() as tape:
        error = tf.reduce_mean(tf.square(tf.matmul(x, weight)))
    optimizer.apply_gradients([(tape.gradient(error, weight), weight)])


def network(depth):
    inputs = hidden = tf.keras.Input([4])
    for _ in range(depth):
        layer = tf.keras.layers.Dense(4)
        hidden = layer(hidden)
    return tf.keras.Model(inputs, hidden)


errors = [fitted(rate) for rate in (0.1, 0.01, 0.001)]
shared = tf.Variable(tf.ones([4, 2]))
for _ in range(50):
    descend(shared)
result = shared.numpy()
count = len(network(12).layers)
