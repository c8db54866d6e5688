# An attribute set between calls comes in as an argument of a traced method behind the old one.
import tensorflow as tf


class Chaser:
    def __init__(self):
        self.place = tf.Variable([0.0, 0.0])
        self.goal = tf.constant([1.0, 1.0])
        self.optimizer = tf.keras.optimizers.Adam(0.05)

    def miss(self, goal, weight):
        return weight * tf.reduce_sum(tf.square(self.place - goal))

    @tf.function
    def _step(self, goal, weight):
        with tf.GradientTape() as tape:
            loss = self.miss(goal, weight) + tf.reduce_mean(tf.abs(self.place))
        gradients = tape.gradient(loss, [self.place])
        self.optimizer.apply_gradients(zip(gradients, [self.place]))
        return loss

    def step(self, weight):
        return self._step(self.goal, weight)

    def move_goal(self, by):
        self.goal = self.goal + by


chaser = Chaser()
weight = tf.constant(2.0)
losses = []
for turn in range(12):
    losses.append(chaser.step(weight).numpy())
    if turn % 10 == 9:
        chaser.move_goal(tf.constant([0.5, -0.25]))
place = chaser.place.numpy()
