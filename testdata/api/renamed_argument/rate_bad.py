# intent: correcting
# tf-version: 2.6
# Optimizers of old versions take `lr` still; newer ones ignore it, and then refuse it.
import tensorflow as tf
from tensorflow.keras.optimizers import Adam

slow = Adam(lr=0.005, beta_1=0.8)
fast = tf.keras.optimizers.SGD(lr=0.1)
also = tf.optimizers.RMSprop(lr=0.01)
named = tf.keras.optimizers.Adam(learning_rate=0.1)
