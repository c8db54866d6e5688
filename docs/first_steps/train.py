"""A training loop as it is written at first: every step runs op by op."""

import tensorflow as tf

x = tf.random.stateless_normal([1024, 16], seed=[1, 2])
data = tf.data.Dataset.from_tensor_slices((x, tf.math.sin(x[:, :1]))).batch(32)
layers = [tf.keras.layers.Dense(32, "relu"), tf.keras.layers.Dense(1)]
model = tf.keras.Sequential([tf.keras.Input([16]), *layers])
optimizer = tf.keras.optimizers.Adam(0.01)

for epoch in range(5):
    for features, labels in data:
        with tf.GradientTape() as tape:
            error = tf.square(model(features) - labels)
            loss = tf.reduce_mean(error)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    print(f"epoch {epoch}: loss {float(loss):.4f}")
