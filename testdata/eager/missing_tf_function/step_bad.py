# A step in nested loops with its loss in a helper: traced with all that it calls.
import tensorflow as tf

tf.keras.utils.set_random_seed(1)
model = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam(0.01)


def loss_of(x, y):
    return tf.reduce_mean(tf.square(model(x) - y))


# One update on one batch.
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_of(x, y)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


inputs = tf.reshape(tf.linspace(0.0, 1.0, 120), (60, 2))
data = tf.data.Dataset.from_tensor_slices((inputs, inputs[:, :1])).batch(20)

losses = []
for epoch in range(4):
    for x, y in data:
        loss = train_step(x, y)
    losses.append(float(loss))
