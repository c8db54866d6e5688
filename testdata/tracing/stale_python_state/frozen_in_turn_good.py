# Models that are frozen and thawed before each training, that are trained before they are frozen, or
# that have a training of their own.
import numpy as np
from tensorflow import keras


def make_judge():
    judge = keras.Sequential([keras.Input([4]), keras.layers.Dense(1, activation="sigmoid")])
    judge.compile(loss="binary_crossentropy", optimizer="sgd")
    return judge


class Frozen(keras.Model):
    def __init__(self, judge):
        super().__init__()
        self.judge = judge

    def train_step(self, data):
        self.judge.optimizer.apply([self.judge.weights[0]], [self.judge.weights[0]])
        return {"first": self.judge.weights[0][0]}


def in_turn(maker, judge, both):
    for _ in range(100):
        seeds = np.random.normal(size=[16, 2])
        judge.trainable = True
        judge.train_on_batch(maker.predict(seeds), np.zeros([16, 1]))
        judge.trainable = False
        both.train_on_batch(seeds, np.ones([16, 1]))


def frozen_later(judge, seeds, labels):
    judge.fit(seeds, labels)
    judge.trainable = False
    return keras.Sequential([judge])


maker = keras.Sequential([keras.Input([2]), keras.layers.Dense(4)])
judge = make_judge()
both = keras.Sequential([maker, judge])
both.compile(loss="binary_crossentropy", optimizer="sgd")
in_turn(maker, judge, both)

trained = make_judge()
frozen_later(trained, np.ones([16, 4]), np.ones([16, 1]))
own = Frozen(make_judge())
own.trainable = False
own.compile(optimizer="sgd")
own.fit(np.ones([16, 4]), np.ones([16, 1]))
