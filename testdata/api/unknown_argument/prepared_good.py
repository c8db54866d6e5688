# A version, or an exception, decides which argument is passed.
import tensorflow as tf

IS_KERAS_3 = not tf.__version__.startswith(("2.12", "2.13", "2.14", "2.15"))

if IS_KERAS_3:
    first = tf.keras.optimizers.Adam(learning_rate=0.1)
else:
    first = tf.keras.optimizers.Adam(lr=0.1)

try:
    second = tf.keras.optimizers.SGD(lr=0.1)
except ValueError:
    second = tf.keras.optimizers.SGD(0.1)


def to_classes(labels):
    if tf.__version__ > "2.16":
        return tf.keras.utils.to_categorical(labels)
    return tf.keras.utils.to_categorical(labels, dtype="int32")


classes = to_classes([0, 1])
