# A print of the weights below the tape, before their update: the step returns what it shows.
import tensorflow as tf

w = tf.Variable([1.0, 2.0])
optimizer = tf.keras.optimizers.SGD(0.1)


def train():
    @tf.function
    def train_step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.square(w))
        w_before = tf.identity(w)
        optimizer.apply_gradients([(tape.gradient(loss, w), w)])
        return w_before

    for step in range(40):
        w_before = train_step()
        if step % 10 == 0:
            # those of the step before
            print(step, w_before.numpy())


train()
