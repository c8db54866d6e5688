# The copy stands below the test on which the loop of steps is over, so each episode makes one.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(1)
rng = np.random.RandomState(0)


class Walker:
    def __init__(self):
        self.online = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(2)])
        self.target = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(2)])
        self.online.compile("sgd", "mse")
        self.turns = 0

    def follow(self):
        self.target.set_weights(self.online.get_weights())

    def replay(self):
        rows = rng.rand(8, 4).astype(np.float32)
        self.online.train_on_batch(rows, rows[:, :2])
        self.turns += 1
        return self.turns % 12 == 0


def walk(walker, episodes):
    for episode in range(episodes):
        done = False
        while not done:
            done = walker.replay()
            if done:
                walker.follow()
                print(episode)


def run(walker, episodes):
    for episode in range(episodes):
        for turn in range(500):
            if walker.replay():
                walker.follow()
                break


walker = Walker()
walk(walker, 2)
run(walker, 2)
final = np.concatenate([w.ravel() for w in walker.target.get_weights()])
