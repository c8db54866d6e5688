# A counter decides every so often, or from some turn on, what is computed: the trace keeps one side.
import tensorflow as tf


class Pair(tf.keras.Model):
    def __init__(self, maker, judge):
        super().__init__()
        self.maker, self.judge = maker, judge
        self.turn = 0

    def train_step(self, data):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(self.judge(data))
        weights = self.judge.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
        self.turn += 1
        if self.turn % 5 == 0:
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(self.judge(self.maker(data)))
            weights = self.maker.trainable_variables
            self.optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
        return {"loss": loss}


step = 0


@tf.function
def scaled(x):
    global step
    step += 1
    y = tf.square(x)
    if step > 100 and x.shape[0]:
        y = y * 2.0
    return y


for _ in range(200):
    scaled(tf.ones([3]))
