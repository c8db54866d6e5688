# One call passes arrays of 64 bits, another one lists: a trace keeps the arrays' dtype, eager code casts them.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(4)


class Critic(tf.keras.Model):
    def __init__(self, rate=0.05):
        super().__init__()
        self.inner = tf.keras.layers.Dense(8, activation="tanh")
        self.outer = tf.keras.layers.Dense(2)
        self.optimizer = tf.keras.optimizers.SGD(rate)

    def call(self, states):
        return self.outer(self.inner(states))

    def learn(self, states, wanted):
        with tf.GradientTape() as tape:
            values = tf.reduce_sum(self(states), axis=1)
            loss = tf.reduce_mean(tf.square(wanted - values))
        variables = self.trainable_variables
        gradients = tape.gradient(loss, variables)
        self.optimizer.apply_gradients(zip(gradients, variables))


class Player:
    def __init__(self):
        self.critic = Critic()
        self.rewards = np.random.default_rng(0).normal(size=(40, 4))

    def play(self, turns):
        for turn in range(turns):
            rows = self.rewards[turn : turn + 4]
            wanted = [0.9 * row[0] + row[1] for row in rows]
            self.critic.learn(np.array(rows, np.float32), np.array(wanted))


player = Player()
player.play(30)
print(np.round(player.critic(np.ones([2, 4], np.float32)).numpy(), 4))
if len(player.rewards) < 10:
    player.critic.learn(np.ones([2, 4], np.float32), [1.0, 1.0])
