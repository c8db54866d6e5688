# A row of experiments has an optimizer each, and needs a function for each.
import tensorflow as tf


def step_with(optimizer):
    @tf.function
    def step(weights, inputs, targets):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(inputs @ weights - targets))
        optimizer.apply_gradients([(tape.gradient(loss, weights), weights)])
        return loss

    return step


weights = tf.Variable(tf.zeros([2, 1]))
for trial in range(20):
    weights.assign(tf.zeros([2, 1]))
    step = step_with(tf.keras.optimizers.SGD(0.1 * 0.8**trial))
    for _ in range(3):
        loss = step(weights, tf.ones([4, 2]), tf.ones([4, 1]))
    print(float(loss))
