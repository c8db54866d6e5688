# A print of the weights below the tape, before their update: the step returns what it shows.
import tensorflow as tf

matrix = tf.Variable([[1.0, 2.0], [0.5, -1.0]])
momentum = tf.keras.optimizers.SGD(0.1, momentum=0.5)


def train(turns):
    @tf.function
    def train_step():
        with tf.GradientTape() as recorder:
            size = tf.norm(matrix @ tf.ones([2, 1]))
        matrix_before = tf.identity(matrix)
        momentum.apply_gradients([(recorder.gradient(size, matrix), matrix)])
        return matrix_before

    for turn in range(turns):
        matrix_before = train_step()
        if turn % 10 == 0:
            # those of the turn before
            print(turn, matrix_before.numpy())


train(40)
