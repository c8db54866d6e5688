# A tape watches variables only: a constant has to be named, or its gradient is None.
# intent: correcting
import tensorflow as tf

image = tf.constant([[0.2, 0.4], [0.6, 0.8]])
kernel = tf.Variable([[1.0], [-1.0]])

with tf.GradientTape() as tape:
    tape.watch(image)
    response = tf.reduce_sum(tf.square(image @ kernel))
saliency, kernel_gradient = tape.gradient(response, [image, kernel])
brightest = tf.argmax(tf.reshape(tf.abs(saliency), [-1]))
