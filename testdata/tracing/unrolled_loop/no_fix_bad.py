# Lists, seeded draws, nested loops and shapes that the body changes keep a loop unrolled.
import tensorflow as tf

ROUNDS = 300


@tf.function(jit_compile=True)
def scattered(x):
    parts = []
    for i in range(ROUNDS):
        parts.append(tf.sin(x * float(i)) + tf.cos(x))
    return tf.stack(parts)


@tf.function
def noisy(x):
    for _ in range(500):
        x = x + tf.random.normal([2], seed=1)
        x = tf.nn.relu(x)
    return x


@tf.function
def table(x):
    rows = tf.zeros([])
    for i in range(40):
        for j in range(40):
            rows = rows + x[i] * x[j]
    return rows


@tf.function
def grown(x):
    for _ in range(400):
        x = tf.concat([x[1:], x[:1] * 0.5], axis=0)
        x = tf.reshape(x, [2])
    return x


scattered(tf.constant([0.1, 0.2]))
noisy(tf.constant([0.1, 0.2]))
table(tf.range(40, dtype=tf.float32))
grown(tf.constant([1.0, 2.0]))
