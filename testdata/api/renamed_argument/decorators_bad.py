# Old arguments of `tf.function` in decorators and partials; one without effect goes.
import functools

import tensorflow as tf

tf.get_logger().setLevel("ERROR")
compiled = functools.partial(tf.function, experimental_compile=True)


@tf.function(experimental_relax_shapes=True)
def total(x):
    return tf.reduce_sum(x)


@functools.partial(tf.function, autograph=False, experimental_compile=False)
def doubled(x):
    return 2.0 * x


@compiled
def softened(x):
    return tf.nn.softmax(x)


@compiled(experimental_follow_type_hints=True)
def squared(x: tf.Tensor) -> tf.Tensor:
    return tf.square(x)


results = [total(tf.ones([n])) for n in (2, 3)]
results += [doubled(tf.ones([2])), softened(tf.ones([2])), squared(tf.ones([2]))]
