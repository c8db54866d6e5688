# A value that is not known here, `off`, and a model that `fit` or `predict` traces.
import sys

import tensorflow as tf

mode = sys.argv[1] if len(sys.argv) > 1 else False
tf.config.optimizer.set_jit(mode)
tf.config.optimizer.set_jit("off")

model = tf.keras.Sequential([tf.keras.Input([2]), tf.keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse", jit_compile=False)
tf.config.optimizer.set_jit(True)
prediction = model.predict(tf.ones([1, 2]), verbose=0).shape
