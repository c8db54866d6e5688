# What TensorFlow had before the versions of the tables is there for a target as old.
# tf-version: 2.7
import tensorflow as tf


def with_loss_scale(optimizer):
    return tf.keras.mixed_precision.experimental.LossScaleOptimizer(optimizer, "dynamic")


def dynamic():
    return tf.train.experimental.DynamicLossScale()


total = tf.reduce_sum(tf.ones([2, 2]))
