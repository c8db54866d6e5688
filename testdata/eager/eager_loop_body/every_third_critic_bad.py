# Two steps in one body, the second under a test on Python's counter, which stays outside.
import tensorflow as tf

rows = tf.reshape(tf.linspace(-1.0, 1.0, 96), [48, 2])
batches = tf.data.Dataset.from_tensor_slices(rows).batch(8, drop_remainder=True)


class Layer(tf.Module):
    def __init__(self, start):
        self.weights = tf.Variable(start)

    def __call__(self, inputs):
        return tf.matmul(inputs, self.weights)


G = Layer([[0.4, 0.1], [0.2, -0.3]])
D = Layer([[0.5], [-0.1]])
G_optimizer = tf.keras.optimizers.SGD(0.05)
D_optimizer = tf.keras.optimizers.SGD(0.05)
turn = 0
d_losses, g_losses = [], []

for epoch in range(3):
    for real in batches:
        with tf.GradientTape() as tape:
            d_loss = tf.reduce_mean(D(G(tf.ones_like(real))) - D(real))
        gradients = tape.gradient(d_loss, D.trainable_variables)
        D_optimizer.apply_gradients(zip(gradients, D.trainable_variables))
        for weight in D.trainable_variables:
            weight.assign(tf.clip_by_value(weight, -0.4, 0.4))
        d_losses.append(float(d_loss))

        if turn % 3 == 0:
            with tf.GradientTape() as tape:
                g_loss = -tf.reduce_mean(D(G(tf.ones_like(real))))
            gradients = tape.gradient(g_loss, G.trainable_variables)
            G_optimizer.apply_gradients(zip(gradients, G.trainable_variables))
            g_losses.append(float(g_loss))
        turn += 1

final = (G.weights.numpy(), D.weights.numpy())
