# No GPU is visible, so that Keras compiles nothing on its own.
import tensorflow as tf

tf.config.set_visible_devices([], "GPU")
model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")
