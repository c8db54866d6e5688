# A discriminator that is frozen for good before it is first trained learns nothing with Keras 3.
import numpy as np
from tensorflow.keras import Input, Model, Sequential
from tensorflow.keras.layers import Dense


class Forger:
    def __init__(self):
        self.critic = self.make_critic()
        self.critic.compile(loss="binary_crossentropy", optimizer="adam")
        self.painter = Sequential([Input([3]), Dense(6)])
        seed = Input([3])
        self.critic.trainable = False
        self.both = Model(seed, self.critic(self.painter(seed)))
        self.both.compile(loss="binary_crossentropy", optimizer="adam")

    def make_critic(self):
        image = Input([6])
        return Model(image, Dense(1, activation="sigmoid")(image))

    def train(self, turns):
        for _ in range(turns):
            seeds = np.random.normal(size=[8, 3])
            self.critic.train_on_batch(self.painter.predict(seeds), np.zeros([8, 1]))
            self.both.train_on_batch(seeds, np.ones([8, 1]))


Forger().train(200)
