"""A loop that asks somebody on every turn is as fast as they type."""

import tensorflow as tf

w = tf.Variable(tf.ones((3, 1)))
model = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(2)])

while True:
    try:
        text = input("three numbers: ")
    except EOFError:
        break
    x = tf.constant([[float(word) for word in text.split()]])
    y = tf.nn.softmax(model(x))
    best = tf.argmax(y, axis=-1)
    print(tf.reduce_max(y) * tf.reduce_sum(x @ w), best)
