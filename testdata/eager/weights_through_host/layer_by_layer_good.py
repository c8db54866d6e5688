# Each turn copies the weights of another layer: all of them are copied once, before training.
import tensorflow as tf

layers = [tf.keras.layers.Dense(8, "tanh") for _ in range(12)]
pretrained = tf.keras.Sequential([tf.keras.Input([8]), *(tf.keras.layers.Dense(8, "tanh") for _ in range(12))])
model = tf.keras.Sequential([tf.keras.Input([8]), *layers])

for i in range(len(model.layers)):
    model.get_layer(index=i).set_weights(pretrained.get_layer(index=i).get_weights())

for i in range(len(layers)):
    layer = layers[i]
    layer.set_weights(pretrained.layers[i].get_weights())

same = bool(tf.reduce_all(model(tf.ones([2, 8])) == pretrained(tf.ones([2, 8]))))
