# Models that a class is given are known by what it does with them: Keras alone takes a symbolic tensor.
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers, models


class Translation:
    def __init__(self, forth, back, critic):
        self.forth, self.back, self.critic = forth, back, critic

    def compile(self, optimizer):
        self.critic.compile(loss="mse", optimizer=optimizer)
        self.critic.trainable = False
        image = layers.Input([8])
        there = self.forth(image)
        again = self.back(there)
        self.both = models.Model(image, [self.critic(there), again])
        self.both.compile(loss=["mse", "mae"], optimizer="adam")

    def fit(self, data, epochs):
        for epoch in range(epochs):
            for images in data:
                made = self.forth.predict(images)
                self.critic.train_on_batch(made, np.zeros([len(made), 1]))
                self.both.train_on_batch(images, [np.ones([len(made), 1]), images])
