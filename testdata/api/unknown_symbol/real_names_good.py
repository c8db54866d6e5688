# Names by other imports, methods of what is imported, and a `tf` that is something else.
import keras
import tensorflow as tf
import tensorflow.compat.v2 as tf2
from tensorflow.keras.layers import Dense
from tensorflow.python.framework import ops

K = tf.keras.backend


class tfx:
    """Not TensorFlow."""

    @staticmethod
    def anything():
        return tf.float32.as_numpy_dtype


def shadowed(tf):
    return tf.not_the_module


names = [
    tf.experimental.numpy.sum,
    tf2.math.reduce_sum,
    tf.raw_ops.AddV2,
    tf.keras.optimizers.schedules.ExponentialDecay,
    tf.data.Dataset.from_tensor_slices,
    tf.Tensor.set_shape,
    K.clear_session,
    keras.losses.mean_squared_error,
    Dense.build,
    ops.Tensor,
    tfx.anything(),
    shadowed(type("Fake", (), {"not_the_module": 1})),
]
