# Each instance trains for a hundred turns: its trace pays, and is meant.
import tensorflow as tf


class Agent:
    def __init__(self, seed):
        self.w = tf.Variable(tf.random.stateless_normal([4, 1], [seed, 0]))

    @tf.function
    def step(self, x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(x @ self.w))
        self.w.assign_sub(0.1 * tape.gradient(loss, self.w))
        return loss

    def train(self):
        for turn in range(100):
            self.step(tf.ones([8, 4]))


for seed in range(10):
    agent = Agent(seed)
    agent.train()

for seed in range(10):
    agent = Agent(seed)
    for turn in range(100):
        loss = agent.step(tf.ones([8, 4]))
    print(agent.step(tf.ones([8, 4])))
