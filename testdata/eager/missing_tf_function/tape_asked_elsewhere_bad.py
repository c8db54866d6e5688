# An agent that plays below a tape, acts in one method and learns in another: one step of training.
import numpy as np
import tensorflow as tf


class Agent:
    """Learns to walk to the right."""

    def __init__(self):
        self.model = tf.keras.Sequential(
            [tf.keras.layers.Dense(8, "relu"), tf.keras.layers.Dense(2)]
        )
        self.optimizer = tf.keras.optimizers.Adam(0.01)
        self.gains = []

    def act(self, place):
        scores = tf.nn.log_softmax(self.model(tf.constant([[place]])))
        action = int(np.argmax(scores.numpy()[0]))
        return action, scores[0, action]

    def play(self):
        place = 0.0
        with tf.GradientTape() as self.tape:
            for _ in range(5):
                action, score = self.act(place)
                place += 1.0 if action else -1.0
                self.gains.append(score * place)
            self.learn()

    def learn(self):
        loss = -tf.add_n(self.gains)
        weights = self.model.trainable_variables
        with self.tape.stop_recording():
            gradients = self.tape.gradient(loss, weights)
            self.optimizer.apply_gradients(zip(gradients, weights))
        self.gains.clear()


agent = Agent()
for episode in range(200):
    agent.play()
print(agent.act(0.0))
