# A function that reads weights has state, too: tf.data runs it for one element after the other.
import tensorflow as tf

encoder = tf.keras.Sequential([tf.keras.Input([8]), tf.keras.layers.Dense(16), tf.keras.layers.Dense(4)])
encoder.set_weights([tf.ones_like(w) * 0.1 for w in encoder.get_weights()])
offset = tf.Variable(tf.ones([4]))


def encoded(x):
    return encoder(x, training=False)


def shifted(x):
    return tf.nn.relu(x - offset) / tf.reduce_sum(tf.abs(x))


def features(rows):
    return tf.data.Dataset.from_tensor_slices(rows).batch(2).map(encoded).unbatch().map(shifted)


total = tf.zeros([4])
for epoch in range(2):
    for row in features(tf.ones([8, 8])):
        total += row
print(total.numpy().round(4))
