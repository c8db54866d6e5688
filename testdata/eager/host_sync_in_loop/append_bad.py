# A list of values is read only after the loop: tensors are kept and read there.
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
features = tf.random.normal([64, 6])
target = tf.reduce_sum(features[:, :2], axis=1, keepdims=True)
model = tf.keras.Sequential([tf.keras.Input([6]), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.05)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


losses = []
for step in range(40):
    loss = train_step(features, target)
    losses.append(loss.numpy())
