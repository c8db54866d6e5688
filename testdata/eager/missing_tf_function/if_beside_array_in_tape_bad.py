# A heat map of one picture: an `if` stands in the tape's block beside the array that the call could make.
import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(3)])
model.compile("sgd", "mse")
pictures = np.random.default_rng(0).normal(size=(300, 4)).astype("float32")


def saliency(picture, index=None):
    if len(picture.shape) != 1:
        raise ValueError("one picture")
    inputs = tf.convert_to_tensor(picture[None])
    with tf.GradientTape() as tape:
        tape.watch(inputs)
        output = model(np.expand_dims(picture, 0))
        if index is None:
            index = tf.argmax(output[0])
        chosen = output[:, index]
    grads = tape.gradient(chosen, model.trainable_variables[0])
    heat = tf.maximum(tf.reduce_mean(grads, axis=1), 0.0)
    heat = heat / tf.reduce_max(heat)
    shown: np.ndarray = heat.numpy()
    return shown


maps = [saliency(picture) for picture in pictures]
print(maps[0].shape)
