# The number of updates is a variable: kept until the loop is over it would be the last one for all turns.
import tensorflow as tf

w = tf.Variable([[0.5], [-1.0]])
optimizer = tf.keras.optimizers.SGD(0.1)
x = tf.constant([[1.0, -1.0], [0.5, 2.0]])


@tf.function
def train_step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ w))
    optimizer.apply_gradients([(tape.gradient(loss, w), w)])
    return loss


def main():
    steps = []
    for i in range(60):
        train_step(x)
        steps.append(int(optimizer.iterations))
    print(steps[:3], steps[-1])


main()
