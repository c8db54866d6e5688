# A window as a batch of one: calling the model gives the same without a dataset each time.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(9)
inputs = tf.keras.Input((5,))
outputs = tf.keras.layers.Dense(1, activation="sigmoid")(inputs)
detector = tf.keras.Model(inputs, outputs)

signal = np.sin(np.linspace(0, 6, 12)).astype("float32")
alarms = []
for start in range(len(signal) - 5):
    window = signal[start : start + 5]
    score = detector.predict(np.expand_dims(window, axis=0), verbose=0)[0, 0]
    if score > 0.5:
        alarms.append(start)
