"""What stands in a list by an index, or is asked for as a property, may be another variable in the next call."""

import tensorflow as tf

tf.keras.utils.set_random_seed(1)
ratings = tf.random.normal([10, 10])
blocks = [tf.Variable(tf.random.normal([10, 3])), tf.Variable(tf.random.normal([10, 3]))]
mean_squared = tf.keras.losses.MeanSquaredError()


class Game:
    def __init__(self):
        self.turn = 0

    @property
    def block(self):
        self.turn += 1
        return blocks[self.turn % 2]


def half_step(block):
    with tf.GradientTape() as tape:
        loss = mean_squared(ratings, tf.matmul(blocks[0], blocks[1], transpose_b=True))
    block.assign_sub(0.5 * tape.gradient(loss, block))
    return loss


def play(game):
    return half_step(game.block)


game = Game()
for turn in range(60):
    loss = play(game)
print(loss.numpy(), [block.numpy().sum() for block in blocks])
