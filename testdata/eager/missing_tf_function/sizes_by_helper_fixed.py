# Helpers that take a rank, a list of ranks or nothing, and list a shape: all of it is Python's.
import tensorflow as tf

tf.keras.utils.set_random_seed(2)
net = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(8)])


def assert_rank(tensor, expected):
    known = {}
    if isinstance(expected, int):
        known[expected] = True
    else:
        for rank in expected:
            known[rank] = True
    if tensor.shape.ndims not in known:
        raise ValueError("the rank is not %s" % expected)


def sizes(tensor, expected=None):
    if expected is not None:
        assert_rank(tensor, expected)
    shape = tensor.shape.as_list()
    unknown = []
    for index, size in enumerate(shape):
        if size is None:
            unknown.append(index)
    if not unknown:
        return shape
    dynamic = tf.shape(tensor)
    for index in unknown:
        shape[index] = dynamic[index]
    return shape


@tf.function
def score(x):
    rows, width = sizes(x, 2)
    y = net(x)
    same, units = sizes(y, expected=[2, 3])
    flat = tf.reshape(y, [rows * units])
    total = tf.reduce_sum(tf.square(flat)) / tf.cast(same * width, tf.float32)
    return total + tf.reduce_mean(tf.abs(x)) * tf.reduce_max(y) + sizes(flat)[0]


totals = []
for step in range(60):
    totals.append(score(tf.ones([8, 4]) * (0.1 * step)))
