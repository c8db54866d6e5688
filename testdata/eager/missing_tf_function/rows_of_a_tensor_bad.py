# Mechanism: a loop over the rows of a tensor runs its few operations once for each of them.
import tensorflow as tf


def activation_map(features, weights):
    heat = tf.ones(features.shape[:2])
    for index, weight in enumerate(weights):
        heat += weight * features[:, :, index]
    return heat


total = tf.constant(0.0)
for _ in range(300):
    total += tf.reduce_sum(activation_map(tf.ones([7, 7, 64]), tf.ones([64])))
print(total)
