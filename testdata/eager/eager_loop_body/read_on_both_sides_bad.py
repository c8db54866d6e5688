"""A variable is read on both sides of an update in the middle of the step: two values, two names."""

import tensorflow as tf

tf.keras.utils.set_random_seed(8)

slope = tf.Variable([[0.5], [-0.25], [1.0]])
offset = tf.Variable([0.0])
optimizer = tf.keras.optimizers.SGD(0.05)
optimizer.build([slope, offset])
points = tf.random.normal([32, 3])
truth = points @ tf.constant([[1.0], [2.0], [-1.0]])

for step in range(40):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(points @ slope + offset - truth))
    gradients = tape.gradient(loss, [slope, offset])
    if step % 10 == 0:
        print("before", slope.numpy().sum())
    slope.assign(slope * 0.999)
    if step % 10 == 0:
        print("behind", slope.numpy().sum())
    optimizer.apply_gradients(zip(gradients, [slope, offset]))
print(slope.numpy().round(3).ravel())
