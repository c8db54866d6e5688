# The function that puts both models together freezes one of them, before another function trains it.
import numpy as np
from tensorflow import keras


def make_judge():
    judge = keras.Sequential([keras.Input([4]), keras.layers.Dense(1, activation="sigmoid")])
    judge.compile(loss="binary_crossentropy", optimizer="sgd")
    return judge


def put_together(maker, judge):
    judge.trainable = False
    both = keras.Sequential([maker, judge])
    both.compile(loss="binary_crossentropy", optimizer="sgd")
    return both


def train(maker, judge, both):
    for _ in range(100):
        seeds = np.random.normal(size=[16, 2])
        judge.train_on_batch(maker.predict(seeds), np.zeros([16, 1]))
        both.train_on_batch(seeds, np.ones([16, 1]))


judge = make_judge()
maker = keras.Sequential([keras.Input([2]), keras.layers.Dense(4)])
train(maker, judge, put_together(maker, judge))
