# Data sets have lost what those of TensorFlow 1 had; whoever makes one here asks one of TensorFlow 2.
import tensorflow as tf

data = tf.data.Dataset.range(8).batch(2)
print(data.output_types, data.element_spec)
iterator = data.make_one_shot_iterator()
