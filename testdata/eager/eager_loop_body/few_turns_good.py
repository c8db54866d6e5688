# Loops over two constants, or over the layers of a model, are over before a trace would pay.
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(2), tf.keras.layers.Dense(2)])
x = tf.ones((3, 4))

# Two turns are over before a trace would be made.
for scale in (0.5, 1.0):
    output = model(x * scale)
    norm = tf.sqrt(tf.reduce_sum(tf.square(output)))
    print(float(tf.reduce_max(output)), float(norm))

# Layers are the parts of a model, not steps.
hidden = x
for layer in model.layers:
    hidden = layer(hidden)
    print(tf.reduce_mean(hidden).shape, tf.nn.l2_loss(layer.kernel).shape, tf.norm(hidden).shape)
