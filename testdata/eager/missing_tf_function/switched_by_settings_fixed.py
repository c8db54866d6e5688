# The settings say False, but a method sets attributes by names that it is given.
import tensorflow as tf

tf.keras.utils.set_random_seed(4)
w = tf.Variable(tf.ones([4]))


class Settings:
    def __init__(self):
        self.trains = False
        self.steps = 40

    def update(self, given):
        for name, value in given.items():
            setattr(self, name, value)


@tf.function
def train_step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(w * x - 3.0))
    w.assign_sub(0.1 * tape.gradient(loss, w))


settings = Settings()
settings.update({"trains": True})
for _ in range(settings.steps):
    if settings.trains:
        train_step(tf.linspace(0.0, 1.0, 4))
total = float(tf.reduce_sum(w))
