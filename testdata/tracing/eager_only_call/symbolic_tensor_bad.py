# Building a functional model, Keras hands on tensors that no trace takes; a layer's `call` gets others.
# intent: correcting
import tensorflow as tf

dense = tf.keras.layers.Dense(2)


@tf.function
def doubled(x):
    return tf.keras.layers.add([x, x])


inputs = tf.keras.Input([3])
hidden = dense(inputs)
outputs = doubled(hidden)
model = tf.keras.Model(inputs, outputs)
