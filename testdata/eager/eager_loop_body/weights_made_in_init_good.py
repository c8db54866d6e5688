# The loop of a constructor makes variables; it runs once for each object, and makes no step.
import tensorflow as tf


class Mixture(tf.Module):
    def __init__(self, sizes, seed=1):
        super().__init__()
        self.kernels = []
        self.biases = []
        for number, (rows, columns) in enumerate(zip(sizes[:-1], sizes[1:])):
            draw = tf.random.stateless_normal([rows, columns], [seed, number])
            draw = tf.clip_by_value(draw, -2.0, 2.0) * tf.sqrt(2.0 / rows)
            draw -= tf.reduce_mean(draw, axis=0, keepdims=True)
            self.kernels.append(tf.Variable(draw / tf.maximum(tf.norm(draw), 1.0)))
            self.biases.append(tf.Variable(tf.zeros([columns])))

    @tf.function
    def __call__(self, x):
        for kernel, bias in zip(self.kernels, self.biases):
            x = tf.tanh(x @ kernel + bias)
        return x


mixture = Mixture([3, 8, 8, 4, 2])
output = mixture(tf.ones([5, 3])).numpy()
