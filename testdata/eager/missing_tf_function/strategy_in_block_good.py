# The run of a strategy is traced already, by a function that stands in the block with what it names.
if __name__ == "__main__":
    import tensorflow as tf

    strategy = tf.distribute.OneDeviceStrategy("/cpu:0")
    data = tf.data.Dataset.from_tensor_slices((tf.ones([64, 3]), tf.ones([64, 1]))).batch(16)
    with strategy.scope():
        model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(1)])

    def residual(x, y):
        return tf.reduce_sum(tf.abs(model(x) - y))

    @tf.function
    def distributed_residual(x, y):
        return strategy.run(residual, args=(x, y))

    total = tf.constant(0.0)
    for x, y in strategy.experimental_distribute_dataset(data):
        total += distributed_residual(x, y)
    print(float(total))
