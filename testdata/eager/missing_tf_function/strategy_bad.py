# A strategy runs the step in replicas: what is traced is the call of `run`, never the step.
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy(["/cpu:0"])
data = tf.data.Dataset.from_tensor_slices((tf.ones([64, 3]), tf.ones([64, 1]))).batch(16)

with strategy.scope():
    model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(1)])
    optimizer = tf.keras.optimizers.SGD(0.1)


def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


total = 0.0
for x, y in strategy.experimental_distribute_dataset(data):
    losses = strategy.run(train_step, args=(x, y))
    # the mean over the replicas
    total += strategy.reduce("MEAN", losses, axis=None)
print(float(total))
