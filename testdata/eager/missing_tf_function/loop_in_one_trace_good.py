# The loop over the batches stands in the traced function, and so do all calls of the step.
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(2)])
optimizer = tf.keras.optimizers.SGD(0.1)
rows = tf.random.stateless_uniform([64, 4], [1, 2])
data = tf.data.Dataset.from_tensor_slices((rows, rows[:, :2])).batch(8)


def update(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


@tf.function
def epoch():
    total = 0.0
    for x, y in data:
        total += update(x, y)
    return total


losses = [float(epoch()) for _ in range(30)]
