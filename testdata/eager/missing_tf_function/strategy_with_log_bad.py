# What has the strategy run the step writes a log as well: neither is traced.
import logging

import tensorflow as tf

log = logging.getLogger("steps")


def main():
    strategy = tf.distribute.OneDeviceStrategy("/cpu:0")
    with strategy.scope():
        net = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(1)])
        optimizer = tf.keras.optimizers.SGD(0.1)

    def train_step(x):
        def step_fn(x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(net(x, training=True)))
            gradients = tape.gradient(loss, net.trainable_variables)
            optimizer.apply_gradients(zip(gradients, net.trainable_variables))
            return loss

        loss = strategy.run(step_fn, args=(x,))
        log.warning("a step")
        return strategy.reduce(tf.distribute.ReduceOp.MEAN, loss, axis=None)

    for step in range(20):
        loss = train_step(tf.ones([4, 3]))
    print(float(loss))


main()
