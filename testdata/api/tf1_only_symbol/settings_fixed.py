# Settings have no successor of the same meaning: they become those of `compat.v1`.
# intent: correcting
import tensorflow as tf

tf.compat.v1.logging.set_verbosity(tf.compat.v1.logging.ERROR)
tf.compat.v1.set_random_seed(7)

config = tf.compat.v1.ConfigProto(allow_soft_placement=True)
model = tf.keras.Sequential([tf.keras.layers.Input((2,)), tf.keras.layers.Dense(1)])
folder_exists = tf.compat.v1.gfile.Exists("/")
soft = config.allow_soft_placement
