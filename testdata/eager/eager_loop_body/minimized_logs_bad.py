# The loss that an optimizer calls keeps a list of its values: what it does, the step does.
# tf-version: 2.15
import tensorflow as tf

target = tf.constant([[1.0], [2.0]])
inputs = tf.constant([[1.0, 0.5], [0.5, 2.0]])
weights = tf.Variable(tf.zeros([2, 1]))
optimizer = tf.keras.optimizers.SGD(0.1)
losses = []


def loss():
    value = tf.reduce_mean(tf.square(inputs @ weights - target))
    losses.append(float(value))
    return value


for step in range(200):
    optimizer.minimize(loss, var_list=[weights])
print(losses[-1], weights.numpy())
