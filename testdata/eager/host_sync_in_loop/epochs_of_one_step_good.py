# A traced function that goes through all batches is an epoch, though the step that it runs is another function.
import tensorflow as tf

w = tf.Variable(tf.zeros([4, 1]))
data = tf.data.Dataset.from_tensor_slices(tf.random.stateless_normal([32, 4], seed=[1, 2])).batch(4)
optimizer = tf.keras.optimizers.SGD(0.1)


def train_step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ w - 1.0))
    optimizer.apply_gradients([(tape.gradient(loss, w), w)])
    return loss


@tf.function
def train_epoch(batches):
    total = 0.0
    for x in batches:
        total += train_step(x)
    return total


def train(batches, num_epochs):
    history = []
    for epoch in range(num_epochs):
        total = train_epoch(batches)
        history.append(float(total))
    return history


history = train(data, int("30"))
