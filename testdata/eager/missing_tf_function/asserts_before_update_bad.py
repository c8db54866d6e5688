"""An assertion that a split step would come to behind the update that it stands before: the fix says so."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
xs = tf.constant(rng.normal(size=(32, 4)).astype("float32"))
ys = tf.reduce_sum(xs, axis=1, keepdims=True)
data = tf.data.Dataset.from_tensor_slices((xs, ys)).batch(8)
w = tf.Variable(tf.zeros([4, 1]))


def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - y))
    assert loss < 300.0, "loss exploded"
    grad = tape.gradient(loss, w)
    w.assign_sub(0.1 * grad)
    return loss


bad = 0
for x, y in data:
    try:
        print(f"{float(train_step(x, y)):.4f}")
    except AssertionError as e:
        bad += 1
print("bad", bad, np.round(w.numpy().ravel(), 4))
