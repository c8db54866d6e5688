# A counter in the condition bounds the turns, and is given as `maximum_iterations`.
# intent: correcting
import tensorflow as tf

weight = tf.Variable([[0.2, 0.1], [0.0, 0.3]])


def equilibrium(inputs):
    _, state = tf.while_loop(
        lambda i, state: i < 30,
        lambda i, state: [i + 1, tf.tanh(inputs + state @ weight)],
        [tf.constant(0), tf.zeros_like(inputs)],
        maximum_iterations=30,
    )
    return state


@tf.function(jit_compile=True)
def train_step(inputs: tf.Tensor, targets: tf.Tensor):
    with tf.GradientTape() as tape:
        state = equilibrium(inputs)
        loss = tf.reduce_mean(tf.square(state - targets))
    gradient = tape.gradient(loss, weight)
    weight.assign_sub(0.1 * gradient)
    return loss


losses = [train_step(tf.ones([3, 2]), tf.zeros([3, 2])) for _ in range(3)]
