# Values read once an epoch, of metrics too, make no step wait.
import tensorflow as tf

w = tf.Variable(tf.ones([4, 1]))
mean_loss = tf.keras.metrics.Mean()
x = tf.reshape(tf.range(80.0), (20, 4)) / 80
data = tf.data.Dataset.from_tensor_slices((x, tf.reduce_sum(x, axis=1, keepdims=True))).batch(5)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((x @ w - y) ** 2)
    w.assign_sub(0.1 * tape.gradient(loss, w))
    mean_loss.update_state(loss)
    return loss


def run_epoch():
    for x, y in data:
        loss = train_step(x, y)
    return loss


history = []
for _ in range(12):
    mean_loss.reset_state()
    last = run_epoch()
    history.append((float(mean_loss.result()), float(last)))
    print(f"mean {mean_loss.result():.4f}, last {last:.4f}")
