# Branches that Python never takes, and constants folded before XLA sees them.
import tensorflow as tf


@tf.function(jit_compile=True)
def step(x, verbose=False):
    if verbose:
        tf.print("x", x)
    return x * 2.0


@tf.function(jit_compile=True)
def inverse(x, fallback=None):
    if fallback is None:
        return tf.linalg.inv(x)
    return fallback / tf.linalg.det(x)


@tf.function(jit_compile=True)
def with_label(x):
    # Nothing but constants: folded before XLA sees it.
    return x + tf.cast(tf.strings.length("label"), x.dtype)


doubled = step(tf.constant(1.0))
inverted = inverse(tf.eye(2))
labelled = with_label(tf.constant(1.0))
