# Two loops at module level call the same model, and one wrapper serves both.
import tensorflow as tf

tf.keras.utils.set_random_seed(7)
model = tf.keras.Sequential([tf.keras.Input([2]), tf.keras.layers.Dense(2)])
state = tf.ones([1, 2])
states = []
traced_model = tf.function(model, reduce_retracing=True)
for _ in range(20):
    state = traced_model(state)
    states.append(state)
for _ in range(20):
    state = traced_model(state) / 2.0
    states.append(state)
