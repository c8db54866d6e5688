# Old names of arguments and functions, by import and by attribute: same meaning, new name.
import tensorflow as tf
from tensorflow.config import experimental_functions_run_eagerly as runs_eagerly

tf.get_logger().setLevel("ERROR")


def scale(x):
    return x / tf.reduce_max(x)


traced = tf.function(
    scale,
    # Shapes vary.
    experimental_relax_shapes=True,
)
tf.config.experimental_run_functions_eagerly(False)
switch = tf.config.experimental_run_functions_eagerly
is_eager = runs_eagerly()
scaled = traced(tf.constant([1.0, 4.0]))
unit = tf.nn.l2_normalize(tf.constant([3.0, 4.0]), dim=0)
texts = tf.map_fn(tf.strings.as_string, tf.range(3), dtype=tf.string)
