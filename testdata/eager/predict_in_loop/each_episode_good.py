# `predict` once for each episode, and beside the steps of what takes no action, or of the object itself,
# is not one for each step of an environment.
import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(2)])


class Walk:
    def reset(self):
        return np.zeros(4, "float32")

    def step(self, action):
        return np.full(4, action, "float32"), True


class Schedule:
    def __init__(self):
        self.rate = 1.0

    def reset(self):
        self.rate = 1.0

    def step(self):
        self.rate *= 0.5


class Trainer:
    def reset(self):
        self.seen = 0

    def step(self, batch):
        self.seen += len(batch)

    def run(self, batches):
        self.reset()
        for batch in batches:
            self.step(model.predict(batch, verbose=0))


def play(episodes):
    game = Walk()
    values = []
    for _ in range(episodes):
        states, done = [game.reset()], False
        while not done:
            state, done = game.step(1)
            states.append(state)
        values.append(model.predict(np.array(states), verbose=0))
    return values


def anneal(batches):
    schedule = Schedule()
    schedule.reset()
    for batch in batches:
        outputs = model.predict(batch, verbose=0)
        schedule.step()
    return outputs


values = play(20)
outputs = anneal(np.zeros([20, 3, 4], "float32"))
Trainer().run(np.zeros([20, 3, 4], "float32"))
