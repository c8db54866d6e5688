# A print of the weights below the tape, before their update: the step returns what it shows.
import tensorflow as tf

w = tf.Variable([1.0, 2.0])
optimizer = tf.keras.optimizers.SGD(0.1)


def train():
    for step in range(40):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.square(w))
            if step % 10 == 0:
                # those of the step before
                print(step, w.numpy())
        optimizer.apply_gradients([(tape.gradient(loss, w), w)])


train()
