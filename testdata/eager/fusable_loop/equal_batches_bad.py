# The data set gives batches of one size: it batches some of them once more, and one call takes them.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(8)
EPOCHS = 3
rng = np.random.RandomState(1)
x = rng.randn(200, 6).astype("float32")
y = (x @ rng.randn(6, 1)).astype("float32")
data = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(200, seed=4)
data = data.batch(10, drop_remainder=True)
model = tf.keras.Sequential([tf.keras.layers.Dense(12, activation="tanh"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam(0.01)


@tf.function
def train_step(inputs, targets, weight):
    with tf.GradientTape() as tape:
        error = model(inputs, training=True) - targets
        loss = tf.reduce_mean(tf.square(error)) * weight
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


last = []
curve = []
for epoch in range(EPOCHS):
    for inputs, targets in data:
        loss = train_step(inputs, targets, 1.0)
    last.append(float(loss))

weight = tf.constant(0.5)
for step, (inputs, targets) in enumerate(data):
    loss = train_step(inputs, targets, weight)
    curve.append((step, float(loss)))
    if (step + 1) % 10 == 0:
        print("step", step + 1, "loss %.4f" % curve[-1][1])
