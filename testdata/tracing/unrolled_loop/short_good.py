# Short loops, and long ones of pure Python or eager code, make no large graph.
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(2) for _ in range(3)])


@tf.function
def run(x):
    for layer in model.layers:
        x = layer(x)
    for _ in range(10):
        x = tf.tanh(x * 2.0)
    names = [str(i) for i in range(10000)]
    total = 0
    for name in names:
        total += len(name)
    return x + float(total)


def eager(x):
    for _ in range(10000):
        x = x * 0.5 + 1.0
    return x


run(tf.ones([1, 2]))
eager(tf.constant(1.0))
