# `del tape` goes into the step with the tape, of which nothing is left to delete outside.
import numpy as np
import tensorflow as tf

inputs = np.linspace(-1.0, 1.0, 64, dtype=np.float32).reshape(16, 4)
batches = tf.data.Dataset.from_tensor_slices(inputs).batch(4, drop_remainder=True)
encoder = tf.Variable(tf.ones([4, 2]) * 0.1)
decoder = tf.Variable(tf.ones([2, 4]) * 0.2)
optimizer = tf.keras.optimizers.SGD(0.05)
optimizer.build([encoder, decoder])
losses = []


@tf.function
def train_step(batch):
    with tf.GradientTape(persistent=True) as tape:
        code = tf.matmul(batch, encoder)
        loss = tf.reduce_mean(tf.square(tf.matmul(code, decoder) - batch))
    encoder_gradient = tape.gradient(loss, encoder)
    decoder_gradient = tape.gradient(loss, decoder)
    del tape
    optimizer.apply_gradients([(encoder_gradient, encoder), (decoder_gradient, decoder)])
    return loss


for epoch in range(3):
    for batch in batches:
        loss = train_step(batch)
        losses.append(float(loss))

final = (encoder.numpy(), decoder.numpy())
