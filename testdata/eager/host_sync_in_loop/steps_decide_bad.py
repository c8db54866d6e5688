# What the optimizer counts decides on the step to take: a number that Python counts tells as much.
import tensorflow as tf

tf.keras.utils.set_random_seed(5)
model = tf.keras.Sequential([tf.keras.Input([6]), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.01)
features = tf.random.normal([64, 6])
dataset = tf.data.Dataset.from_tensor_slices((features, features[:, :1])).batch(8)
penalties = []


@tf.function
def train_step(x, y, weight):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
        loss += weight * tf.reduce_sum(tf.square(model.trainable_variables[0]))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


def plan(turn):
    penalties.append(turn % 4 == 0)
    return tf.constant(0.1 if turn % 4 == 0 else 0.0)


for x, y in dataset.repeat(4):
    turn = optimizer.iterations.numpy()
    loss = train_step(x, y, plan(turn))
