"""Larger pictures from smaller ones: the kernels take most of each step."""
import tensorflow as tf

EPOCHS = 1


def build_model(channels=32):
    inputs = tf.keras.Input(shape=(48, 48, 1))
    x = tf.keras.layers.Conv2D(64, 5, padding="same", activation="relu")(inputs)
    x = tf.keras.layers.Conv2D(64, 3, padding="same", activation="relu")(x)
    x = tf.keras.layers.Conv2D(channels, 3, padding="same", activation="relu")(x)
    x = tf.keras.layers.Conv2D(4, 3, padding="same")(x)
    return tf.keras.Model(inputs, x)


model = build_model()
optimizer = tf.keras.optimizers.Adam()
mae = tf.keras.losses.MeanAbsoluteError()


def compute_loss(small, large):
    enlarged = tf.nn.depth_to_space(model(small, training=True), 2)
    return mae(large, enlarged)


def fit_batch(small, large):
    with tf.GradientTape() as tape:
        loss = compute_loss(small, large)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


large = tf.random.uniform([32, 96, 96, 1])
small = tf.image.resize(large, [48, 48])
pairs = tf.data.Dataset.from_tensor_slices((small, large)).batch(8)
for epoch in range(EPOCHS):
    for s, l in pairs:
        loss = fit_batch(s, l)
    print(epoch, float(loss))
