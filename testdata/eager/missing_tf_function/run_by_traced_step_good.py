# `strategy.run` is given the step inside of a traced function, so that it is traced with it.
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy(["/cpu:0"])
data = tf.data.Dataset.from_tensor_slices((tf.ones([64, 3]), tf.ones([64, 1]))).batch(16)

with strategy.scope():
    model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(1)])
    optimizer = tf.keras.optimizers.SGD(0.1)


def replica_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


@tf.function
def train_step(x, y):
    losses = strategy.run(replica_step, args=(x, y))
    return strategy.reduce("MEAN", losses, axis=None)


total = tf.constant(0.0)
for x, y in strategy.experimental_distribute_dataset(data):
    total += train_step(x, y)
print(float(total))
