"""A variable is read on both sides of an update in the middle of the step: two values, two names."""

import tensorflow as tf

tf.keras.utils.set_random_seed(8)

slope = tf.Variable([[0.5], [-0.25], [1.0]])
offset = tf.Variable([0.0])
optimizer = tf.keras.optimizers.SGD(0.05)
optimizer.build([slope, offset])
points = tf.random.normal([32, 3])
truth = points @ tf.constant([[1.0], [2.0], [-1.0]])


@tf.function
def train_step():
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(points @ slope + offset - truth))
    gradients = tape.gradient(loss, [slope, offset])
    slope_before = tf.identity(slope)
    slope.assign(slope * 0.999)
    slope_before_2 = tf.identity(slope)
    optimizer.apply_gradients(zip(gradients, [slope, offset]))
    return slope_before, slope_before_2


for step in range(40):
    slope_before, slope_before_2 = train_step()
    if step % 10 == 0:
        print("before", slope_before.numpy().sum())
    if step % 10 == 0:
        print("behind", slope_before_2.numpy().sum())
print(slope.numpy().round(3).ravel())
