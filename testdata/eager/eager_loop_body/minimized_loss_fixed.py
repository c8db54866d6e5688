# An optimizer that is given a loss to call takes its gradients too: one training step in one line.
# Keras 3 has no such method, and gets one here.
# tf-version: 2.15
import tensorflow as tf


def minimize(self, loss, var_list):
    with tf.GradientTape() as tape:
        value = loss()
    self.apply_gradients(zip(tape.gradient(value, var_list), var_list))


if not hasattr(tf.keras.optimizers.Optimizer, "minimize"):
    tf.keras.optimizers.Optimizer.minimize = minimize

target = tf.constant([[1.0], [2.0]])
inputs = tf.constant([[1.0, 0.5], [0.5, 2.0]])
weights = tf.Variable(tf.zeros([2, 1]))
optimizer = tf.keras.optimizers.SGD(0.1)


@tf.function
def update_step():
    optimizer.minimize(
        lambda: tf.reduce_mean(tf.square(inputs @ weights - target)), var_list=[weights]
    )


for step in range(200):
    update_step()
    if step % 50 == 0:
        print(step)
print(weights.numpy())
