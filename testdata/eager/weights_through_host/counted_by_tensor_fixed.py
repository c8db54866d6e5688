"""A loop over `tf.range` counts the weights: it goes with the lists, and nothing is said of its reads."""

import tensorflow as tf

tf.keras.utils.set_random_seed(3)
online = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(3)])
target = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(3)])
optimizer = tf.keras.optimizers.SGD(0.1)


@tf.function
def train_step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(online(x) - target(x)))
    gradients = tape.gradient(loss, online.trainable_variables)
    optimizer.apply_gradients(zip(gradients, online.trainable_variables))
    return loss


def follow(slow, fast, rate):
    for weight_2, target_weight in zip(fast.weights, slow.weights):
        target_weight.assign(rate * weight_2 + (1 - rate) * target_weight)


for step in range(40):
    train_step(tf.ones([2, 4]))
    follow(target, online, 0.1)
print([float(tf.round(100 * tf.reduce_sum(weight))) for weight in target.weights])
