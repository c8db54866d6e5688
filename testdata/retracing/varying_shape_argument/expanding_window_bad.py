# A slice whose end is the loop's variable is longer on each turn.
import tensorflow as tf

prices = tf.random.stateless_normal([40], seed=[4, 2])


@tf.function
def drawdown(past):
    return tf.reduce_max(past) - past[-1]


worst = tf.constant(0.0)
for day in range(1, 41):
    worst = tf.maximum(worst, drawdown(prices[:day]))
print(float(worst))
