# The parts of an f-string become arguments of `tf.print`, with the blanks between them.
# intent: correcting
import tensorflow as tf

weights = tf.Variable(tf.ones([2, 1]))


def log_loss(name, loss):
    print(f"{{{name}}} loss: {loss} after the update")
    print(f'{loss}')
    print(f"{name} loss: {loss} {name}.")
    print(f"{name} ends at {loss} {loss}")


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ weights - y))
    weights.assign_sub(0.1 * tape.gradient(loss, weights))
    log_loss("train", loss)
    return loss


for _ in range(2):
    last = train_step(tf.ones([4, 2]), tf.zeros([4, 1]))
