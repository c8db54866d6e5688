# Counters, lists and attributes get what the trace made, once: no fix knows what is meant.
# intent: correcting
import numpy as np
import tensorflow as tf

losses = []
best = {}
calls = 0
latest = None


@tf.function
def evaluate(x):
    global calls, latest
    calls += 1
    loss = tf.reduce_mean(tf.square(x))
    losses.append(loss)
    best["loss"] = loss
    latest = loss
    np.save("/dev/null", np.zeros(3))
    return loss


class Trainer:
    def __init__(self):
        self.steps = 0
        self.last_loss = None

    @tf.function
    def step(self, x):
        self.steps += 1
        loss = tf.reduce_sum(x)
        self.last_loss = loss
        return loss

    def summary(self):
        return self.steps, str(self.last_loss)


trainer = Trainer()
for scale in (1.0, 2.0, 3.0):
    evaluate(tf.constant([scale]))
    trainer.step(tf.constant([scale]))
seen = (calls, len(losses), trainer.summary())
