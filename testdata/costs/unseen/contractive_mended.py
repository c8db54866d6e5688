"""An autoencoder whose code should hardly move: the penalty is a Jacobian."""
import tensorflow as tf

ROUNDS = 4
hidden = tf.keras.layers.Dense(5, activation="tanh")
out = tf.keras.layers.Dense(8)
sgd = tf.keras.optimizers.SGD(0.05)
data = tf.random.stateless_normal([32, 8], [1, 2])
hidden(data), out(hidden(data))


@tf.function
def train_step(x):
    with tf.GradientTape() as tape:
        with tf.GradientTape() as inner:
            inner.watch(x)
            code = hidden(x)
        moved = inner.batch_jacobian(code, x)
        wrong = tf.reduce_mean(tf.square(out(code) - x))
        loss = wrong + 0.01 * tf.reduce_mean(tf.square(moved))
    variables = hidden.trainable_variables + out.trainable_variables
    sgd.apply_gradients(zip(tape.gradient(loss, variables), variables))
    return loss


for _ in range(ROUNDS):
    loss = train_step(data)
print(float(loss))
