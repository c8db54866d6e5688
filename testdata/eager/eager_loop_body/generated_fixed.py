# Only the model call can be traced: each turn needs its answer as a Python number.
import tensorflow as tf

tf.keras.utils.set_random_seed(1)
model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(8), tf.keras.layers.Dense(4)])

shown = tf.ones([1, 4])
symbols = []


@tf.function
def compute_logits(shown):
    # what may follow
    return model(shown, training=False)  # four of them


for _ in range(40):
    logits = compute_logits(shown)
    best = int(tf.argmax(logits[0]))
    symbols.append(best)
    shown = tf.nn.softmax(logits + 0.1 * best)
