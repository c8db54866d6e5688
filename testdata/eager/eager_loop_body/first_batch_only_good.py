# The loop takes one batch and leaves: its body is no step, it runs once.
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
xs = tf.random.stateless_normal([64, 4], [1, 2])
data = tf.data.Dataset.from_tensor_slices((xs, tf.reduce_sum(xs, axis=1))).batch(16)
model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(1)])


def initial_gradients(model, data):
    """Say how long the gradients of each variable are before the training."""
    for x, y in data:
        with tf.GradientTape() as tape:
            predicted = tf.squeeze(model(x, training=True), axis=-1)
            loss = tf.reduce_mean(tf.square(predicted - y))
        gradients = tape.gradient(loss, model.trainable_variables)
        norms = [float(tf.norm(gradient)) for gradient in gradients]
        break
    return float(loss), norms


loss, norms = initial_gradients(model, data)
print("before the training:", round(loss, 3), [round(norm, 3) for norm in norms])
model.compile("adam", "mse", jit_compile=False)
history = model.fit(data, epochs=2, verbose=0)
