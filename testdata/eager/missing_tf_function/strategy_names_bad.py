# The function around `run` would stand above what it names: the report has no fix.
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy(["/cpu:0"])
data = tf.data.Dataset.from_tensor_slices((tf.ones([64, 3]), tf.ones([64, 1]))).batch(16)

with strategy.scope():
    model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(1)])


def evaluate(strategy, y):
    return tf.reduce_mean(tf.square(model(strategy) - y))


def residual(x, y):
    return tf.reduce_sum(tf.abs(model(x) - y))


if __name__ == "__main__":
    for x, y in strategy.experimental_distribute_dataset(data):
        losses = (
            strategy  # of one replica
            .run(evaluate, args=(x, y))
        )
    offset_strategy = tf.distribute.OneDeviceStrategy("/cpu:0")
    for x, y in offset_strategy.experimental_distribute_dataset(data):
        offset = offset_strategy.run(residual, args=(x, y))
    print(float(losses), float(offset))
