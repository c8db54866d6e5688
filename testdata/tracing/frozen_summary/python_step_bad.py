# A step that is a global or an attribute is read while tracing: no tensor to stand in.
# intent: correcting
import tensorflow as tf

count = 0


@tf.function
def evaluate(x):
    tf.summary.write("mean", tf.reduce_mean(x), count + 1)
    return x


class Trainer:
    def __init__(self):
        self.steps = 0

    @tf.function
    def train_step(self, x):
        loss = tf.reduce_mean(tf.square(x))
        tf.summary.write("loss", loss, step=self.steps)
        return loss

    def train(self):
        for _ in range(3):
            self.train_step(tf.ones([4]))
            self.steps += 1


with tf.summary.create_noop_writer().as_default():
    Trainer().train()
    for _ in range(3):
        evaluate(tf.ones([2]))
        count += 1
