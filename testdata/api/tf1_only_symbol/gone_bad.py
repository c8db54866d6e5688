# What neither TensorFlow 2 nor `compat.v1` has, or only with another package: no fix.
import tensorflow as tf
from tensorflow import placeholder
from tensorflow.contrib import slim
from tensorflow.examples.tutorials.mnist import input_data
from tensorflow.keras.backend import set_session


@tf.function
def features(x):
    x = slim.flatten(x)
    x = tf.layers.dense(x, 8)
    cell = tf.nn.rnn_cell.LSTMCell(8)
    return tf.contrib.layers.layer_norm(cell(x))


tf.keras.backend.get_session()
