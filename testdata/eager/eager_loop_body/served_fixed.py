# A function that is called by way of a dict: its step goes to module level, for all its runs.
import tensorflow as tf

tf.random.set_seed(2)
encoder = tf.keras.layers.GRU(6, return_sequences=True, return_state=True)
decoder = tf.keras.layers.GRU(6, return_state=True)
readout = tf.keras.layers.Dense(5)


@tf.function
def decode_step(symbol, state, seen):
    # one symbol at a time
    context = tf.reduce_mean(seen, axis=1, keepdims=True)
    symbol, state = decoder(symbol + context, initial_state=state)
    symbol = tf.nn.tanh(symbol)[:, tf.newaxis]
    best = tf.argmax(readout(symbol), axis=-1)
    return symbol, state, best


def describe(measured, length=12):
    """The symbols that follow a measured series."""
    seen, state = encoder(measured)
    symbol = tf.zeros([1, 1, 6])
    found = []
    for _ in range(length):
        symbol, state, best = decode_step(symbol, state, seen)
        found.append(int(best[0, 0]))
    return found


answers = {"describe": describe}
series = tf.reshape(tf.sin(tf.range(16.0)), [1, 8, 2])
first = answers["describe"](series)
again = answers["describe"](series, 10)
