# Functions of many operations that `compile` is given: the traced steps of Keras run them.
import tensorflow as tf

tf.keras.utils.set_random_seed(6)


def focal_loss(labels, logits):
    labels = tf.cast(labels, tf.float32)
    chances = tf.nn.sigmoid(logits)
    missed = labels * (1.0 - chances) + (1.0 - labels) * chances
    crossed = tf.nn.sigmoid_cross_entropy_with_logits(labels, logits)
    return tf.reduce_mean(tf.square(missed) * crossed, axis=-1)


def soft_dice(labels, logits):
    labels, chances = tf.cast(labels, tf.float32), tf.nn.sigmoid(logits)
    shared = tf.reduce_sum(labels * chances)
    whole = tf.reduce_sum(labels) + tf.reduce_sum(chances)
    return (2.0 * shared + 1.0) / (whole + 1.0)


x = tf.random.stateless_normal([40, 3], [6, 6])
y = tf.cast(tf.reduce_sum(x, axis=1, keepdims=True) > 0.0, tf.float32)
model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(1)])
model.compile("sgd", loss=focal_loss, metrics=[soft_dice], jit_compile=False)
for epoch in range(3):
    model.train_on_batch(x, y)
result = model.evaluate(x, y, verbose=0)
