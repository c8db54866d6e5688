# Settings have no successor of the same meaning: they become those of `compat.v1`.
# intent: correcting
import tensorflow as tf

tf.logging.set_verbosity(tf.logging.ERROR)
tf.set_random_seed(7)

config = tf.ConfigProto(allow_soft_placement=True)
model = tf.keras.Sequential([tf.keras.layers.Input((2,)), tf.keras.layers.Dense(1)])
folder_exists = tf.gfile.Exists("/")
soft = config.allow_soft_placement
