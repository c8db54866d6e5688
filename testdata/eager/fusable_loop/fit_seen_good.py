# Somebody sees each step: a callback, or who looks at the progress bar. Keras keeps running them one by one.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(9)
x_train = np.ones((64, 4), "float32")
y_train = np.zeros((64, 1), "float32")
losses = []


def built():
    return tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])


class Recorder(tf.keras.callbacks.Callback):
    def on_train_batch_end(self, batch, logs=None):
        losses.append(round(float(logs["loss"]), 4))


watched = built()
watched.compile(optimizer=tf.keras.optimizers.SGD(0.05), loss="mse")
watched.fit(x_train, y_train, epochs=2, batch_size=16, verbose=0, callbacks=[Recorder()])

endless = built()
endless.compile(optimizer=tf.keras.optimizers.SGD(0.05), loss="mse")
data = tf.data.Dataset.from_tensor_slices((x_train, y_train)).batch(16).repeat()
endless.fit(data, epochs=2, steps_per_epoch=3, verbose=0)
