# The place is counted with a width of which nothing is known: it may be a Python number, each of which would be a trace.
import json

import tensorflow as tf

height, width = json.loads("[6, 8]")
network = tf.keras.Sequential([tf.keras.layers.Dense(8, "tanh"), tf.keras.layers.Dense(1)])
picture = tf.zeros([height, width, 1])
for place in range(48):
    row = place // width
    shown = network(picture)
    value = tf.reduce_mean(tf.nn.softmax(tf.sin(shown[row]) + tf.cos(shown[row])))
    picture = picture + value * tf.square(shown)
shape = picture.shape
