# A few operations that an inner loop repeats are many on each turn of the outer one.
import tensorflow as tf

x = tf.ones([28, 28])


@tf.function
def compute_x(x):
    for index in range(64):
        x = tf.tanh(x) * 0.5 + tf.reduce_mean(x)
    return x


for step in range(1000):
    x = compute_x(x)
print(float(tf.reduce_sum(x)))
