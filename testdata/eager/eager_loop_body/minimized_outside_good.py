# Here the optimizer is given its loss in a traced step: nothing runs op by op.
# tf-version: 2.15
import tensorflow as tf

target = tf.constant([[1.0], [2.0]])
inputs = tf.constant([[1.0, 0.5], [0.5, 2.0]])
weights = tf.Variable(tf.zeros([2, 1]))
optimizer = tf.keras.optimizers.SGD(0.1)


@tf.function
def train_step():
    optimizer.minimize(
        lambda: tf.reduce_mean(tf.square(inputs @ weights - target)), var_list=[weights]
    )


for step in range(200):
    train_step()
print(weights.numpy())
