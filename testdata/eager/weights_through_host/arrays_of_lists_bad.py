# Arrays of whole lists of weights are mixed on every fourth step, behind asserts that both are as long.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(4)


class Environment:
    def __init__(self):
        self.at = 0

    def reset(self):
        self.at = 0
        return np.ones(3, dtype=np.float32)

    def step(self, action):
        self.at += 1
        return np.full(3, np.cos(self.at), dtype=np.float32), float(action), self.at >= 40


def make_net():
    layers = [tf.keras.layers.Dense(3, use_bias=False) for _ in range(2)]
    return tf.keras.Sequential([tf.keras.Input([3]), *layers])


class Agent:
    TAU, PERIOD = 0.25, 4

    def __init__(self, environment):
        self.environment = environment
        self.net, self.target = make_net(), make_net()
        self.optimizer = tf.keras.optimizers.SGD(0.01)
        self.steps = 0

    def play(self):
        total, done = 0.0, False
        state = self.environment.reset()
        while not done:
            state, reward, done = self.environment.step(0.5)
            total += reward
            self.steps += 1
            if self.steps % self.PERIOD == 0:
                self.train(state)
                self.update_target()
        return total

    def train(self, state):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.net(state[np.newaxis]) - 1.0))
        gradients = tape.gradient(loss, self.net.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.net.trainable_variables))

    def update_target(self):
        target_weights = self.target.get_weights()
        weights = self.net.get_weights()
        assert len(target_weights) == len(weights)
        self.target.set_weights(
            (1 - self.TAU) * np.array(target_weights)
            + self.TAU * np.array(weights)
        )


agent = Agent(Environment())
for episode in range(3):
    agent.play()
print([round(float(tf.reduce_sum(w)), 4) for w in agent.target.weights])
