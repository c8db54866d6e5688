# A print of the weights below the tape, before their update: moving it would show others.
import tensorflow as tf

w = tf.Variable([1.0, 2.0])
optimizer = tf.keras.optimizers.SGD(0.1)
for step in range(40):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.square(w))
        # it would show the weights of the next step
        print(step, w.numpy())
    optimizer.apply_gradients([(tape.gradient(loss, w), w)])
