# `jit_compile` is given, by keyword or settings, or the model runs eagerly.
import tensorflow as tf


def small():
    return tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(1)])


compiled = small()
compiled.compile("adam", "mse", jit_compile=True)
plain = small()
plain.compile("adam", "mse", jit_compile=False)
eager = small()
eager.compile("adam", "mse", run_eagerly=True)
settings = {"jit_compile": False}
configured = small()
configured.compile("adam", "mse", **settings)
