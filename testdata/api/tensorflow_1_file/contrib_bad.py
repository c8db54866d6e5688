# `contrib`, placeholders and old modules all over: one note for the file, the rest withheld.
import tensorflow as tf
import tensorflow.contrib.slim as slim
from tensorflow.examples.tutorials.mnist import input_data

mnist = input_data.read_data_sets("data")
images = tf.placeholder(tf.float32, [None, 784])
labels = tf.placeholder(tf.int64, [None])
logits = slim.fully_connected(images, 10, activation_fn=None)
loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
