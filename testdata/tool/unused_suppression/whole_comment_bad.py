# A comment that holds nothing but an unused suppression goes with its line.
import tensorflow as tf

w = tf.Variable(1.0)


@tf.function
def step(x):  # noqa: TXL101
    return w * x


# tfxla-lint: ignore[eager-loop-body]
for _ in range(5):
    y = step(tf.constant(2.0))
