# A layer that forbids it, here an LSTM, keeps Keras from compiling.
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input([5, 3]), tf.keras.layers.LSTM(4)])
model.compile(optimizer="adam", loss="mse")
