"""Each turn trains the other model: one trace would not do for both."""

import tensorflow as tf

tf.keras.utils.set_random_seed(4)
models = [tf.keras.Sequential([tf.keras.layers.Dense(units)]) for units in (1, 2)]
optimizers = [tf.keras.optimizers.Adam(0.01) for _ in models]
x = tf.ones((4, 3))

for step in range(200):
    model = models[step % 2]
    optimizer = optimizers[step % 2]
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x)))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    print(step, float(loss))
