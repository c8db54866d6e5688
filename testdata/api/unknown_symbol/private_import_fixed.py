# Mechanism: an import of TensorFlow's own modules says nothing of Keras, but for one of its copy of Keras 2.
# intent: correcting
import tensorflow as tf
from tensorflow.python.framework import ops

metric = tf.keras.metrics.Mean()
metric.update_state(tf.ones([2]))
print(float(metric.result()), ops.__name__)
metric.reset_state()
