# The optimizer asks the schedule inside of the traced step; nobody calls it from Python.
import math

import tensorflow as tf


class WarmCosine(tf.keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, peak, warm, total):
        self.peak, self.warm, self.total = peak, warm, total

    def __call__(self, step):
        step = tf.cast(step, tf.float32)
        rising = self.peak * step / self.warm
        done = tf.clip_by_value((step - self.warm) / (self.total - self.warm), 0.0, 1.0)
        falling = 0.5 * self.peak * (1.0 + tf.cos(math.pi * done))
        return tf.where(step < self.warm, rising, falling)

    def get_config(self):
        return {"peak": self.peak, "warm": self.warm, "total": self.total}


weights = tf.Variable(tf.ones([3, 1]))
optimizer = tf.keras.optimizers.SGD(WarmCosine(0.2, 5.0, 30.0))


@tf.function
def train_step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ weights - 0.5))
    optimizer.apply_gradients([(tape.gradient(loss, weights), weights)])
    return loss


x = tf.reshape(tf.linspace(0.0, 1.0, 24), [8, 3])
for step in range(30):
    loss = train_step(x)
print(round(float(loss), 4))
