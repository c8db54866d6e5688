# The step is traced and the metric beside it is not: one function goes around both.
import tensorflow as tf

tf.keras.utils.set_random_seed(4)
model = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="tanh"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam(0.02)
mean_loss = tf.keras.metrics.Mean()
xs = tf.reshape(tf.linspace(-1.0, 1.0, 72), [36, 2])
batches = tf.data.Dataset.from_tensor_slices((xs, xs[:, :1] * xs[:, 1:])).batch(8)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


@tf.function
def measured_step(x, y):
    loss = train_step(x, y)
    mean_loss(loss)
    return loss


for epoch in range(4):
    mean_loss.reset_state()
    for x, y in batches:
        loss = measured_step(x, y)
    print(f"epoch {epoch}: {mean_loss.result().numpy():.4f}, last {loss.numpy():.4f}")
