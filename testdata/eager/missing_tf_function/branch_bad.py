# A test on a tensor whose sides update variables is converted by AutoGraph: no blocker.
import tensorflow as tf

w = tf.Variable(tf.ones([3, 1]))
scale = tf.Variable(64.0)
skipped = tf.Variable(0)
optimizer = tf.keras.optimizers.SGD(0.1)


def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ w - y)) * scale
    gradient = tape.gradient(loss, w) / scale
    # leave steps out that are too long
    if tf.norm(gradient) < 3.0:
        optimizer.apply_gradients([(gradient, w)])
    else:
        skipped.assign_add(1)
        scale.assign(scale / 2.0)
    return loss / scale


losses = []
for step in range(10):
    x = tf.ones([4, 3]) * (1.0 + step % 3)
    losses.append(float(train_step(x, tf.zeros([4, 1]))))
