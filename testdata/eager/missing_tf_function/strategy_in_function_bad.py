# The function that has the strategy run the step is the one to trace; a name that it reads is bound anew
# behind the loop, when the step runs no more.
import tensorflow as tf


def make_net():
    return tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(1)])


def main():
    strategy = tf.distribute.OneDeviceStrategy("/cpu:0")
    with strategy.scope():
        net = make_net()
        optimizer = tf.keras.optimizers.SGD(0.1)

    def train_step(x, y):
        def step_fn(x, y):
            with tf.GradientTape() as tape:
                errors = tf.square(net(x, training=True) - y)
                loss = tf.reduce_mean(errors)
            gradients = tape.gradient(loss, net.trainable_variables)
            optimizer.apply_gradients(zip(gradients, net.trainable_variables))
            return errors

        errors = strategy.run(step_fn, args=(x, y))
        return strategy.reduce(tf.distribute.ReduceOp.MEAN, errors, axis=0)

    for step in range(20):
        loss = train_step(tf.ones([4, 3]), tf.ones([4, 1]))
    print(float(tf.reduce_mean(loss)))

    net = make_net()
    print(net(tf.ones([1, 3])).shape)


main()
