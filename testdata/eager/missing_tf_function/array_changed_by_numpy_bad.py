# The step reads an array that functions of NumPy change in place: a trace would keep the first one.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(2)


class Player:
    def __init__(self, places):
        self.values = np.zeros(places)
        self.visits = np.zeros(places)
        self.policy = tf.Variable(tf.zeros([places, 2]))
        self.optimizer = tf.keras.optimizers.SGD(0.1)

    def improve(self, places, actions):
        with tf.GradientTape() as tape:
            gains = tf.cast(tf.gather(self.values, places), tf.float32)
            chances = tf.nn.log_softmax(tf.gather(self.policy, places))
            taken = tf.gather(chances, actions, batch_dims=1)
            loss = -tf.reduce_mean(gains * taken)
        gradient = tape.gradient(loss, self.policy)
        self.optimizer.apply_gradients([(gradient, self.policy)])
        return loss

    def weigh(self, places):
        with tf.GradientTape() as tape:
            counts = tf.cast(tf.gather(self.visits, places), tf.float32)
            loss = tf.reduce_mean(counts * tf.reduce_sum(tf.square(self.policy)))
        gradient = tape.gradient(loss, self.policy)
        self.optimizer.apply_gradients([(gradient, self.policy)])
        return loss

    def note(self, places, rewards):
        np.add.at(self.values, places, rewards)
        np.add(self.visits, 1.0, out=self.visits)


player = Player(6)
for turn in range(30):
    places = np.array([turn % 6, (turn + 1) % 6])
    player.note(places, np.array([0.1, 0.2]))
    loss = player.improve(tf.constant(places), tf.constant([0, 1]))
    weighed = player.weigh(tf.constant(places))
