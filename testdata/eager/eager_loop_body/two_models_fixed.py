# Two tapes in one `with` and two optimizers are one step, as all of it is TensorFlow's.
import tensorflow as tf

tf.keras.utils.set_random_seed(5)

encoder = tf.keras.Sequential([tf.keras.Input((10,)), tf.keras.layers.Dense(3, activation="tanh")])
decoder = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(10)])
encoder_optimizer = tf.keras.optimizers.SGD(0.1)
decoder_optimizer = tf.keras.optimizers.SGD(0.1)
batch = tf.reshape(tf.range(160, dtype=tf.float32) / 160.0, (16, 10))

errors = []


@tf.function
def train_step():
    with tf.GradientTape() as encoder_tape, tf.GradientTape() as decoder_tape:
        code = encoder(batch, training=True)
        restored = decoder(code, training=True)
        error = tf.reduce_mean(tf.square(restored - batch))

    encoder_gradients = encoder_tape.gradient(error, encoder.trainable_variables)
    decoder_gradients = decoder_tape.gradient(error, decoder.trainable_variables)
    encoder_optimizer.apply_gradients(zip(encoder_gradients, encoder.trainable_variables))
    decoder_optimizer.apply_gradients(zip(decoder_gradients, decoder.trainable_variables))
    return error


for i in range(10):
    error = train_step()

    if i % 10 == 0:
        errors.append(error.numpy())
