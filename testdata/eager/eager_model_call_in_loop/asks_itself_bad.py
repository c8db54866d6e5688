# A method that has to stay in Python, but asks its own model: the call alone gets a traced method.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(4)
noise = np.random.default_rng(3)


class Actor(tf.keras.Model):
    def __init__(self, actions):
        super().__init__()
        self.hidden = tf.keras.layers.Dense(8, activation="tanh")
        self.out = tf.keras.layers.Dense(actions, activation="tanh")

    def call(self, x, training=False):
        return self.out(self.hidden(x))

    # Adds some noise.
    def sample(self, state, scale=None):
        state = np.atleast_2d(state).astype(np.float32)
        action = self(state, training=False).numpy()[0]
        if scale:
            action += noise.normal(0.0, scale, size=len(action))
        return action

    def both(me, state):
        """Asks twice, in one form."""
        first = me(np.float32(state[None])).numpy()
        second = me(np.float32(-state[None])).numpy()
        return np.abs(first - second).sum()


actor = Actor(2)
state, total = np.zeros(4), 0.0
for step in range(60):
    action = actor.sample(state, 0.1)
    total += actor.both(state)
    state = 0.9 * state + action.sum()
