# Layers of a model that is built, of another size on each turn, with weights that are given, and
# metrics and layers that last a whole loop of steps are no loss; nor are a few that are tried.
import tensorflow as tf

x = tf.reshape(tf.linspace(-1.0, 1.0, 256), [64, 4])
data = tf.data.Dataset.from_tensor_slices(x).batch(2)


def block(hidden):
    return tf.keras.layers.Dense(4)(hidden)


def network(depth):
    inputs = hidden = tf.keras.Input([4])
    for _ in range(depth):
        hidden = block(hidden)
    return tf.keras.Model(inputs, hidden)


def average(rows):
    return tf.keras.layers.Dense(1, kernel_initializer="ones", use_bias=False)(rows)


def epoch(model):
    metric = tf.keras.metrics.Mean()
    for rows in data:
        metric.update_state(model(rows))
    return metric.result()


model = network(20)
for turn in range(50):
    mean = epoch(model)
for units in range(1, 40):
    wide = tf.keras.layers.Dense(units)(x)
for _ in range(5):
    tried = tf.keras.layers.Dense(2)(x)
for rows in data:
    blurred = average(rows)


def stage(before, training=None):
    hidden = tf.keras.layers.Dense(4)(before)
    hidden = tf.keras.layers.BatchNormalization()(hidden, training=training)
    hidden = tf.keras.layers.add([hidden, before])
    return tf.keras.layers.Activation("relu")(hidden)


def stages(hidden, count, training=None):
    hidden = tf.keras.layers.add([hidden, tf.keras.layers.ReLU()(hidden)])
    for _ in range(count - 1):
        hidden = stage(hidden, training=training)
    return hidden


def tower(depth, inputs=None):
    hidden = stages(inputs, depth)
    return tf.keras.Model(inputs, hidden)
