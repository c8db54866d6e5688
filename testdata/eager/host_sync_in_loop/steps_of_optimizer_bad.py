# How often to show is asked of the optimizer's own count, whose value each turn waits for.
import tensorflow as tf

tf.keras.utils.set_random_seed(5)
model = tf.keras.Sequential([tf.keras.Input([6]), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.01)
features = tf.random.normal([64, 6])
dataset = tf.data.Dataset.from_tensor_slices((features, features[:, :1])).batch(8)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


shown = []
for x, y in dataset.repeat(4):
    loss = train_step(x, y)
    if optimizer.iterations.numpy() % 10 == 0:
        shown.append(float(loss))
