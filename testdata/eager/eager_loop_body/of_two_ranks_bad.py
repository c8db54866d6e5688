# One trace for vectors and matrices would know no rank, and Keras' layers ask for it: no fix.
import tensorflow as tf

tf.keras.utils.set_random_seed(1)
model = tf.keras.Sequential(
    [tf.keras.Input([1]), tf.keras.layers.Dense(4, "tanh"), tf.keras.layers.Dense(1)]
)

for turn in range(60):
    few = model(tf.fill([1 + turn % 3], 0.5))
    more = model(tf.fill([1 + turn % 4, 1], 0.5))
total = tf.reduce_sum(few) + tf.reduce_sum(more)
print(total.numpy())
