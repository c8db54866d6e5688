"""What is printed are a shape and a string: a trace would give tensors."""

import tensorflow as tf

w = tf.Variable([1.0, 2.0])
optimizer = tf.keras.optimizers.SGD(0.1)
for step in range(40):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.square(w))
        shape = loss.shape
        kind = loss.dtype.name
        if step % 20 == 0:
            print(step, shape, kind)
    optimizer.apply_gradients([(tape.gradient(loss, w), w)])
