# A name that is bound again behind the step: only what stands before it is hoisted.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(7)
encoder = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(4)])
optimizer = tf.keras.optimizers.Adam(0.05)
xs = tf.reshape(tf.sin(tf.range(96.0)), [24, 4])
batches = tf.data.Dataset.from_tensor_slices(xs).batch(8)
unseen = iter(tf.data.Dataset.from_tensor_slices(tf.cos(tf.range(240.0))).batch(8))

shown = []


@tf.function
def train_step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(encoder(x) - x))
    gradients = tape.gradient(loss, encoder.trainable_variables)
    optimizer.apply_gradients(zip(gradients, encoder.trainable_variables))


for epoch in range(4):
    for step, x in enumerate(batches):
        train_step(x)

        # what it makes of something else, as a picture
        x = next(unseen)
        picture = encoder(tf.reshape(x, [-1, 4]))
        picture = tf.concat([tf.sigmoid(picture), tf.reshape(x, [-1, 4])], axis=0)
        shown.append(picture.numpy() * 255.0)
print(np.mean(shown).round(3))
