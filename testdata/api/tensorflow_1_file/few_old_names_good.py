# Two old names in a file that trains with Keras don't make it TensorFlow 1.
import tensorflow as tf
from tensorflow.keras import layers

config = tf.ConfigProto()
session = tf.Session(config=config)
model = tf.keras.Sequential([layers.Dense(4), layers.Dense(1)])
model.compile("adam", "mse")
model.fit(tf.ones([4, 2]), tf.ones([4, 1]))
