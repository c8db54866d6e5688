# A memory keeps what the agent did to train with it later, and a helper that decides needs the number now.
import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(2)])
optimizer = tf.keras.optimizers.SGD(0.05)


class Memory:
    def __init__(self):
        self.states, self.values = [], []

    def store(self, state, value):
        self.states.append(state)
        self.values.append(value)


class Stopping:
    def __init__(self):
        self.best, self.waited = np.inf, 0

    def should_stop(self, loss):
        if loss < self.best:
            self.best, self.waited = loss, 0
            return False
        self.waited += 1
        return self.waited > 5


@tf.function
def evaluate(state):
    return model(state)


@tf.function
def train_step(states, values):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(states) - values))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


memory, stopping = Memory(), Stopping()
state = np.ones([1, 4], "float32")
for step in range(200):
    value = evaluate(state)
    memory.store(state, value.numpy())
    state = state * 0.99
for step in range(200):
    loss = train_step(np.concatenate(memory.states), np.concatenate(memory.values))
    if stopping.should_stop(loss.numpy()):
        break
