# Five turns of a loop are few, whatever the ranks are.
import tensorflow as tf

tf.keras.utils.set_random_seed(1)
model = tf.keras.Sequential([tf.keras.Input([1]), tf.keras.layers.Dense(1)])

for turn in range(5):
    few = model(tf.fill([1 + turn % 3], 0.5))
total = tf.reduce_sum(few)
print(total.numpy())
