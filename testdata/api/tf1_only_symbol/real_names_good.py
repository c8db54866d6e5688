# Names that TensorFlow 2 has.
import tensorflow as tf

tf.random.set_seed(3)
optimizer = tf.keras.optimizers.SGD(0.1)
cast = tf.cast(tf.constant([1.5]), tf.int32)
logs = tf.math.log(tf.constant([1.0]))
accuracy = tf.keras.metrics.Accuracy()
writer = tf.io.TFRecordWriter
tf.get_logger().setLevel("ERROR")
