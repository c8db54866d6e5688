# The helper that applies the gradients runs inside of the traced step, however often that is called.
import tensorflow as tf

w = tf.Variable(tf.ones([6]))
optimizer = tf.keras.optimizers.SGD(0.1)
optimizer.build([w])


def apply(gradient):
    optimizer.apply_gradients([(tf.clip_by_norm(gradient, 1.0), w)])


@tf.function
def step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.square(w * x - 2.0))
    apply(tape.gradient(loss, w))
    return loss


for _ in range(50):
    last = step(tf.linspace(0.0, 1.0, 6))
