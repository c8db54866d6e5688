# Old names that the program gives back to TensorFlow, each by its text.
import tensorflow as tf

for old, new in (("log", tf.math.log), ("is_nan", tf.math.is_nan)):
    setattr(tf, old, new)
print(tf.log(tf.ones([2])), tf.is_nan(tf.ones([2])))
