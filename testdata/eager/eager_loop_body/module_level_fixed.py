# The whole step moves with its comments; the test on the counter and what it prints stay.
import numpy as np
import tensorflow as tf

rng = np.random.RandomState(0)
features = rng.rand(96, 6).astype("float32")
targets = features @ rng.rand(6, 1).astype("float32")

model = tf.keras.Sequential([tf.keras.Input((6,)), tf.keras.layers.Dense(1)])
model.set_weights([np.full((6, 1), 0.1, "float32"), np.zeros(1, "float32")])
optimizer = tf.keras.optimizers.SGD(0.05)
loss_fn = tf.keras.losses.MeanSquaredError()
mean_loss = tf.keras.metrics.Mean()

dataset = tf.data.Dataset.from_tensor_slices((features, targets)).batch(32)

history = []


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        # The prediction needs no activation.
        prediction = model(x, training=True)
        loss = loss_fn(y, prediction)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))  # one update
    mean_loss.update_state(loss)
    return loss


# Two passes are enough to see it fall.
for epoch in range(4):
    mean_loss.reset_state()

    for step, (x, y) in enumerate(dataset):
        loss = train_step(x, y)

        if step % 2 == 0:
            print(f"epoch {epoch} step {step}: {loss.numpy():.3f}")
    history.append(float(mean_loss.result()))
