# Batches of known specs, the last one smaller: declared with a batch dimension of None.
import tensorflow as tf
from tensorflow import keras


class Regression:
    def __init__(self):
        self.weights = tf.Variable(tf.zeros([3, 1]))
        self.bias = tf.Variable([0.0])
        self.optimizer = keras.optimizers.SGD(0.05)

    @tf.function(
        input_signature=[
            tf.TensorSpec([None, 3], tf.float32),
            tf.TensorSpec([None, 1], tf.float32),
            tf.TensorSpec([], tf.float32),
        ]
    )
    def learn(self, inputs, targets, rate):
        with tf.GradientTape() as tape:
            residual = inputs @ self.weights + self.bias - targets
            loss = rate * tf.reduce_mean(tf.square(residual))
        variables = [self.weights, self.bias]
        gradients = tape.gradient(loss, variables)
        self.optimizer.apply_gradients(zip(gradients, variables))
        return loss


xs = tf.reshape(tf.linspace(-1.0, 1.0, 93), [31, 3])
ys = tf.reduce_sum(xs, axis=1, keepdims=True) + 0.5
batches = tf.data.Dataset.from_tensor_slices((xs, ys)).batch(10)
regression = Regression()
rate = tf.constant(2.0)
losses = []
for epoch in range(6):
    for inputs, targets in batches:
        losses.append(regression.learn(inputs, targets, rate))
losses = [loss.numpy() for loss in losses]
