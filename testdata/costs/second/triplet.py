"""Places for pictures such that those of one kind lie near: a triplet loss of its own class."""
import numpy as np
import tensorflow as tf

EPOCHS = 3
rng = np.random.default_rng(6)


class TripletLoss(tf.keras.losses.Loss):
    def __init__(self, margin=0.5):
        super().__init__(name="triplet")
        self.margin = margin

    def call(self, positive, embeddings):
        anchor, near, far = tf.split(embeddings, 3, axis=0)
        close = tf.reduce_sum(tf.square(anchor - near), axis=1)
        apart = tf.reduce_sum(tf.square(anchor - far), axis=1)
        return tf.maximum(close - apart + self.margin, 0.0)


inputs = tf.keras.Input(shape=(64,))
hidden = tf.keras.layers.Dense(128, activation="relu")(inputs)
hidden = tf.keras.layers.Dense(64, activation="relu")(hidden)
places = tf.keras.layers.UnitNormalization()(tf.keras.layers.Dense(16)(hidden))
encoder = tf.keras.Model(inputs, places)

criterion = TripletLoss()
schedule = tf.keras.optimizers.schedules.ExponentialDecay(1e-3, 100, 0.96)
optimizer = tf.keras.optimizers.Adam(learning_rate=schedule)
history = []


def step(anchor, near, far):
    batch = tf.concat([anchor, near, far], axis=0)
    with tf.GradientTape() as tape:
        loss = criterion(tf.zeros([16]), encoder(batch, training=True))
    gradients = tape.gradient(loss, encoder.trainable_variables)
    optimizer.apply_gradients(zip(gradients, encoder.trainable_variables))
    return loss


anchors = rng.normal(size=(128, 64)).astype("float32")
nears = anchors + 0.1 * rng.normal(size=(128, 64)).astype("float32")
fars = rng.normal(size=(128, 64)).astype("float32")
triplets = tf.data.Dataset.from_tensor_slices((anchors, nears, fars)).batch(16)

for epoch in range(EPOCHS):
    total = 0.0
    for anchor, near, far in triplets:
        total += step(anchor, near, far)
    history.append(float(total))
