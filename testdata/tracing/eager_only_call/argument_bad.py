# A traced function's own arguments are tensors without a value, though a wrapper traces it.
# intent: correcting
import tensorflow as tf


def decode(path):
    name = path.numpy().decode()
    return tf.strings.length(name)


def clip(x):
    return float(x.numpy()) if x is not None else 0.0


traced_clip = tf.function(clip)
paths = tf.data.Dataset.from_tensor_slices(["a.png", "bc.png"])
traced_decode = tf.function(decode)
lengths = [traced_decode(path) for path in paths]
