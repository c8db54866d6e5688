"""Move points a little in the direction that a fixed classifier likes least, over and over."""
import tensorflow as tf

tf.random.set_seed(5)
ROUNDS = 6

w1 = tf.Variable(tf.random.normal([20, 24], stddev=0.3))
w2 = tf.Variable(tf.random.normal([24, 3], stddev=0.3))
points = tf.random.normal([32, 20])
labels = tf.random.uniform([32], maxval=3, dtype=tf.int32)


def move(x, step_size=0.01):
    with tf.GradientTape() as tape:
        tape.watch(x)
        logits = tf.nn.tanh(x @ w1) @ w2
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
        loss = tf.reduce_mean(losses)
    direction = tf.sign(tape.gradient(loss, x))
    return tf.clip_by_value(x + step_size * direction, -3.0, 3.0), loss


for round_ in range(ROUNDS):
    moved = points
    for _ in range(10):
        moved, loss = move(moved)
