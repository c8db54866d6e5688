# Two epochs over a data set of one element: the inner loop turns once, and both of them twice.
import tensorflow as tf

weights = tf.Variable(tf.ones([2, 1]))
optimizer = tf.keras.optimizers.SGD(0.1)
inputs = tf.reshape(tf.linspace(-1.0, 1.0, 32), [16, 2])
data = tf.data.Dataset.from_tensors((inputs, inputs[:, :1]))

losses = []
for epoch in range(2):
    for x, y in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(x @ weights - y))
        gradients = tape.gradient(loss, [weights])
        optimizer.apply_gradients(zip(gradients, [weights]))
    losses.append(float(loss))
