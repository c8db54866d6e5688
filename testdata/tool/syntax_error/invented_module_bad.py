# `async` is a keyword now: the message says so of what cannot be a name.
import tensorflow as tf

# No such module exists, and `async` is a keyword.
step = tf.experimental.async(lambda x: x + 1)
