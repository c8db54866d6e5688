"""Each model has its own loop, before which its step is made."""

import tensorflow as tf

tf.keras.utils.set_random_seed(4)
models = [tf.keras.Sequential([tf.keras.layers.Dense(units)]) for units in (1, 2)]
optimizers = [tf.keras.optimizers.Adam(0.01) for _ in models]
dataset = tf.data.Dataset.from_tensor_slices(tf.ones((32, 3))).batch(4)

for model, optimizer in zip(models, optimizers):
    @tf.function
    def train_step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x)))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        return loss

    for x in dataset:
        loss = train_step(x)
    print(float(loss))
