# The loops go over blocks of a functional model that is being built: nothing runs yet.
import tensorflow as tf

layers = tf.keras.layers


def block(x, filters):
    x = layers.Conv2D(filters, 3, padding="same", use_bias=False)(x)
    x = layers.BatchNormalization()(x)
    return x * tf.keras.activations.sigmoid(x)


def backbone(x, widths):
    found = []
    for width in widths:
        x = layers.ZeroPadding2D(1)(x)
        x = block(x, width)
        x = block(x, width)
        found.append(x)
    return found[1:]


def head(inputs, count):
    found = [inputs[-1]]
    for step in range(count):
        upper = layers.UpSampling2D(1)(found[-1])
        found.append(block(layers.Concatenate()([upper, inputs[0]]), 4))
    return found[::-1]


def build(widths, count):
    given = tf.keras.Input([16, 16, 3])
    outputs = head(backbone(given, widths), count)
    return tf.keras.Model(given, [layers.GlobalAveragePooling2D()(x) for x in outputs])


model = build([4, 4, 4, 4, 4, 4, 4, 4], 6)
shapes = [tuple(x.shape) for x in model(tf.ones([2, 16, 16, 3]))]
