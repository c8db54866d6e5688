# `lr` of an optimizer, read, assigned to and set: Keras 3 has `learning_rate` alone.
# intent: correcting
import tensorflow as tf

optimizer = tf.keras.optimizers.SGD(0.5)
weight = tf.Variable(2.0)


def slow_down():
    optimizer.learning_rate.assign(optimizer.learning_rate * 0.5)


for _ in range(2):
    with tf.GradientTape() as tape:
        loss = weight * weight
    optimizer.apply_gradients([(tape.gradient(loss, weight), weight)])
    slow_down()
optimizer.learning_rate = 0.25
print(weight.numpy(), float(optimizer.learning_rate))
