# A layer of Keras' own: what its parameters are called is not looked up.
# intent: correcting
import tensorflow as tf

dropout = tf.keras.layers.Dropout(0.5)
print(dropout(tf.ones([2, 3]), True).shape)
