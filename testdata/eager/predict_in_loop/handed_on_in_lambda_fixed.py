# A method that a lambda calls runs where the lambda is called: on every step here.
import numpy as np
import tensorflow as tf


class Agent:
    """Acts by what its model says, or by chance."""

    def __init__(self):
        self.model = tf.keras.Sequential([tf.keras.layers.Dense(4, "relu"), tf.keras.layers.Dense(2)])

    def best(self, state):
        return int(np.argmax(self.model(state[None], training=False).numpy()[0]))

    def choose(self, greedy, explore):
        return explore() if np.random.rand() < 0.1 else greedy()

    def play(self, steps):
        state = np.ones([3], np.float32)
        for _ in range(steps):
            action = self.choose(lambda: self.best(state), lambda: np.random.randint(2))
            state = np.roll(state, action) * 0.5
        return state


agent = Agent()
print(agent.play(50))
