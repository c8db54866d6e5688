# A print of the weights below the tape, before their update: the step returns what it shows.
import tensorflow as tf

matrix = tf.Variable([[1.0, 2.0], [0.5, -1.0]])
momentum = tf.keras.optimizers.SGD(0.1, momentum=0.5)


def train(turns):
    for turn in range(turns):
        with tf.GradientTape() as recorder:
            size = tf.norm(matrix @ tf.ones([2, 1]))
            if turn % 10 == 0:
                # those of the turn before
                print(turn, matrix.numpy())
        momentum.apply_gradients([(recorder.gradient(size, matrix), matrix)])


train(40)
