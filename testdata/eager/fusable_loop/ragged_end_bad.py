# The last batch is smaller, and a metric is read every fourth turn: calls end there, and take what is alike.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(21)
rng = np.random.RandomState(2)
x = rng.randn(130, 5).astype("float32")
y = rng.randint(3, size=130)
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(8)
model = tf.keras.Sequential([tf.keras.layers.Dense(10, activation="relu"), tf.keras.layers.Dense(3)])
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.SGD(0.1, momentum=0.9)
accuracy = tf.keras.metrics.SparseCategoricalAccuracy()


@tf.function
def train_step(images, labels):
    with tf.GradientTape() as tape:
        logits = model(images, training=True)
        loss = loss_fn(labels, logits)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    accuracy.update_state(labels, logits)
    return loss


def fit(epochs):
    seen = []
    for epoch in range(epochs):
        accuracy.reset_state()
        total = 0.0
        for batch, (images, labels) in enumerate(data):
            # one step of gradient descent
            loss = train_step(images, labels)
            total += float(loss)
            if batch % 4 == 0:
                seen.append(accuracy.result().numpy())
                print("epoch %d batch %d: %.4f" % (epoch, batch, seen[-1]))
        print("epoch", epoch, "loss %.4f" % total)
    return seen


seen = fit(2)
