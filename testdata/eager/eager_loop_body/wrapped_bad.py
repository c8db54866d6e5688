# The loop is left on a Python test of what it found: only the model can be wrapped.
import tensorflow as tf

tf.keras.utils.set_random_seed(2)
encoder = tf.keras.layers.GRU(6, return_sequences=True, return_state=True)
decoder = tf.keras.layers.GRU(6, return_state=True)
readout = tf.keras.layers.Dense(5)


def describe(measured):
    seen, state = encoder(measured)
    symbol = tf.zeros([1, 1, 6])
    found = []
    for _ in range(30):
        # one symbol at a time
        symbol, state = decoder(symbol + tf.reduce_mean(seen, axis=1, keepdims=True), initial_state=state)
        symbol = tf.nn.tanh(symbol)[:, tf.newaxis]
        found.append(int(tf.argmax(readout(symbol)[0, 0])))
        if found[-5:] == [0, 0, 0, 0, 0]:
            break
    return found


series = tf.reshape(tf.sin(tf.range(16.0)), [1, 8, 2])
symbols = describe(series)
