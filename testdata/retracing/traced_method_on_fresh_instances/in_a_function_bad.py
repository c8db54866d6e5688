# The instance is made in a helper that the loop calls: a new trace on each turn.
import tensorflow as tf


class Filter(tf.Module):
    def __init__(self, width):
        super().__init__()
        self.kernel = tf.Variable(tf.ones([width]) / width)

    @tf.function
    def __call__(self, x):
        return x * self.kernel


def smooth(x):
    filtering = Filter(3)
    return filtering(x)


def main():
    x = tf.ones([3])
    for step in range(6):
        x = smooth(x)
    return x


result = main()
