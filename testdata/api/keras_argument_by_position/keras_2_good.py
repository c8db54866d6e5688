# Keras 2 takes them.
# tf-version: 2.15
import tensorflow as tf

dropout = tf.keras.layers.Dropout(0.5)
print(dropout(tf.ones([2, 3]), True).shape)
