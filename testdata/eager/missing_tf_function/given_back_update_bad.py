# What older optimizers give back of an update is an operation, which no tf.function may return.
import tensorflow as tf

optimizer = tf.keras.optimizers.SGD(0.1)
weights = tf.Variable(tf.ones([3, 1]))


def improve(gradient):
    clipped = tf.clip_by_value(tf.square(gradient) * tf.sign(gradient), -1.0, 1.0)
    return optimizer.apply_gradients([(clipped, weights)])


for turn in range(100):
    done = improve(tf.ones([3, 1]) / (turn + 1.0))
print(weights.numpy().ravel(), done is None)
