# Each turn plays many steps by a model, and trains once on what was seen: it is no step.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
model = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.01)


def play(count):
    state, seen = np.array([[0.5, -0.5]], np.float32), []
    for _ in range(count):
        seen.append(state[0])
        state = np.tanh(state + model(state, training=False).numpy())
    return np.array(seen)


@tf.function
def improve(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - 1.0))
    variables = model.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    return loss


def train(rounds, count):
    for number in range(rounds):
        rows = []
        for _ in range(4):
            rows.append(play(count))
        loss = improve(np.concatenate(rows))
        print("round %d: %.3f" % (number, loss))


train(20, 16)
