# The metric is read when an epoch is over, and no more often.
import tensorflow as tf

tf.keras.utils.set_random_seed(5)
model = tf.keras.Sequential([tf.keras.Input([6]), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.01)
features = tf.random.normal([64, 6])
dataset = tf.data.Dataset.from_tensor_slices((features, features[:, :1])).batch(8)
mean_loss = tf.keras.metrics.Mean()


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


lines = []
for epoch in range(10):
    for x, y in dataset:
        mean_loss.update_state(train_step(x, y))
    lines.append(f"loss {mean_loss.result():.2f}")
count = len(lines)
