# The loop over the epoch is traced as a whole, with `strategy.run` inside of it.
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy(["/cpu:0"])
data = tf.data.Dataset.from_tensor_slices((tf.ones([64, 3]), tf.ones([64, 1]))).batch(16)
batches = strategy.experimental_distribute_dataset(data)

with strategy.scope():
    model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(1)])
    optimizer = tf.keras.optimizers.SGD(0.1)
    optimizer.build(model.trainable_variables)


def replica_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


@tf.function
def train_epoch(batches):
    total, count = 0.0, 0.0
    for x, y in batches:
        losses = strategy.run(replica_step, args=(x, y))
        total += strategy.reduce("MEAN", losses, axis=None)
        count += 1.0
    return total / count


history = [train_epoch(batches) for epoch in range(2)]
print([round(float(loss), 4) for loss in history])
