# A few operations that an inner loop repeats are many on each turn of the outer one.
import tensorflow as tf

x = tf.ones([28, 28])
for step in range(1000):
    for index in range(64):
        x = tf.tanh(x) * 0.5 + tf.reduce_mean(x)
print(float(tf.reduce_sum(x)))
