# Loops that call a traced step, or stand in a traced function, run no step eagerly.
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


@tf.function
def whole_epoch(batches):
    # AutoGraph turns this loop into a graph of its own.
    for x, y in batches:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(x @ w - y))
        optimizer.apply_gradients(zip(tape.gradient(loss, [w]), [w]))


for epoch in range(10):
    for x, y in data:
        loss = train_step(x, y)
    whole_epoch(data)
    print(epoch, loss.numpy())
