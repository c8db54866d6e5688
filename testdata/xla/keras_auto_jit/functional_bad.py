# Keras 3 compiles a functional model on a GPU unless `jit_compile` says otherwise.
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
inputs = tf.keras.Input([4])
hidden = tf.keras.layers.Dense(8, activation="relu")(inputs)
outputs = tf.keras.layers.Dense(1)(tf.keras.layers.Dropout(0.1)(hidden))
model = tf.keras.Model(inputs, outputs)
model.compile("adam", "mse", metrics=["mae"])
history = model.fit(tf.ones([8, 4]), tf.zeros([8, 1]), epochs=2, verbose=0)
