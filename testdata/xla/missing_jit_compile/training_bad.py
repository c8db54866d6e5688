# A step with fixed batches all of whose calls compile may be faster, optimizer included.
import tensorflow as tf

tf.keras.utils.set_random_seed(5)
network = tf.keras.Sequential(
    [
        tf.keras.Input([3]),
        tf.keras.layers.Dense(8, activation="tanh"),
        tf.keras.layers.Dense(1),
    ]
)
optimizer = tf.keras.optimizers.Adam(0.01)
x = tf.reshape(tf.linspace(0.0, 1.0, 60), [20, 3])
data = tf.data.Dataset.from_tensor_slices((x, x[:, :1])).batch(5, drop_remainder=True)


@tf.function(reduce_retracing=True)
def train_step(x, y):
    with tf.GradientTape() as tape:
        difference = network(x) - y
        loss = tf.reduce_mean(tf.square(difference)) + 0.1 * tf.reduce_mean(tf.abs(difference))
    gradients = tape.gradient(loss, network.trainable_variables)
    optimizer.apply_gradients(zip(gradients, network.trainable_variables))
    return loss


losses = []
for epoch in range(2):
    for inputs, targets in data:
        losses.append(train_step(inputs, targets))
