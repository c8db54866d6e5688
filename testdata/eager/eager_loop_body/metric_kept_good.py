# A metric that is updated once an epoch is no work of the inner loop: silent.
import tensorflow as tf

w = tf.Variable(tf.ones((4, 1)))
optimizer = tf.keras.optimizers.SGD(0.1)
data = tf.data.Dataset.from_tensor_slices((tf.ones((32, 4)), tf.zeros((32, 1)))).batch(8)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ w - y))
    gradients = tape.gradient(loss, [w])
    optimizer.apply_gradients(zip(gradients, [w]))
    return loss


mean_loss = tf.keras.metrics.Mean()
for epoch in range(10):
    # The metric is updated from the mean of an epoch, once.
    total = tf.constant(0.0)
    for x, y in data:
        total += train_step(x, y)
    mean_loss.update_state(total / 4.0)
    print(epoch, float(mean_loss.result()))
