# Under a distribution strategy Keras does not compile on its own.
import tensorflow as tf

strategy = tf.distribute.get_strategy()
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(1)])
    model.compile(optimizer="adam", loss="mse")
