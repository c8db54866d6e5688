"""What a settings class switches off is a way that the program can run; a stand-in for a model is one as well."""

import numpy as np
import tensorflow as tf


class Settings:
    several = 1
    evaluates_open = False


def evaluate(model, batches):
    for images in batches:
        scores = model.predict_on_batch(images)
        print(np.argmax(scores, axis=-1))


def on_several(model, count):
    from replicas import replicated

    return replicated(model, count)


net = tf.keras.Sequential([tf.keras.Input([8]), tf.keras.layers.Dense(2)])
model = on_several(net, Settings.several) if Settings.several > 1 else net
data = tf.data.Dataset.from_tensor_slices(tf.ones([300, 8])).batch(10)
if Settings.evaluates_open:
    evaluate(model, data)
