# Guards by import, exception, `hasattr` or version, and a name that the file sets itself.
import tensorflow as tf

try:
    from tensorflow.keras.wrappers.scikit_learn import KerasClassifier
except ImportError:
    KerasClassifier = None

try:
    scope = tf.experimental.async_transfer_scope
except AttributeError:
    scope = None

if hasattr(tf.experimental, "tensor_slicing"):
    slicing = tf.experimental.tensor_slicing

if int(tf.__version__.split(".")[1]) < 16:
    mse = tf.keras.losses.mean_squared_error
else:
    mse = tf.keras.losses.MSE

IS_OLD = tf.version.VERSION.startswith("2.1.")


def learning_phase():
    if not IS_OLD:
        return None
    return tf.keras.backend.learning_phase_of_old()


tf.own_helper = abs
helped = tf.own_helper(-1)
