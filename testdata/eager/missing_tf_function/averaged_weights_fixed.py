# The averages of all weights are computed by a helper, and assigned eagerly beside a traced step.
import tensorflow as tf

tf.keras.utils.set_random_seed(6)


def made():
    return tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(2)])


model, average = made(), made()
optimizer = tf.keras.optimizers.SGD(0.1)
x, y = tf.random.normal([16, 3]), tf.ones([16, 2])


@tf.function
def train_step():
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


def between(a, b, t):
    return a + (b - a) * t


@tf.function
def follow(source, target, beta=0.9):
    for new, old in zip(source.trainable_weights, target.trainable_weights):
        old.assign(between(new, old, beta))


for step in range(40):
    train_step()
    follow(model, average)
