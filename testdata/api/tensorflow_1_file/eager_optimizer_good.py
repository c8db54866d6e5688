# An optimizer, a loss and variables of `compat.v1` work without a graph: TensorFlow 2.
import tensorflow as tf

rate = tf.Variable(0.5)
weight = tf.compat.v1.get_variable("weight", initializer=tf.constant(2.0))
optimizer = tf.compat.v1.train.GradientDescentOptimizer(rate)


def loss():
    return tf.compat.v1.losses.mean_squared_error(tf.constant([1.0]), tf.reshape(weight, [1]))


optimizer.minimize(loss, var_list=[weight])
result = tf.identity(weight)
