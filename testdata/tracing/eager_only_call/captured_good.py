# A captured eager constant, and what `init_scope` lifts out, has its value in a trace too.
import tensorflow as tf

SCALE = tf.constant(3.0)
model = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(1)])


@tf.function
def scaled(x):
    # The trace captures the constant, which has its value.
    factor = SCALE.numpy()
    devices = tf.config.list_physical_devices()
    return x * factor * float(len(devices) > 0)


@tf.function
def with_initial_value(x):
    with tf.init_scope():
        start = tf.constant(2.0)
        value = start.numpy()
    return x * value


result = scaled(tf.ones([2])).numpy()
other = with_initial_value(tf.ones([2])).numpy().tolist()
prediction = model.predict(tf.ones([1, 2]), verbose=0)
