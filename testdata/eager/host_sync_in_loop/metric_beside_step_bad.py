# A metric is read on each turn; the step, which a strategy runs in another function, is eager itself.
import tensorflow as tf

tf.keras.utils.set_random_seed(5)
strategy = tf.distribute.get_strategy()
model = tf.keras.Sequential([tf.keras.Input([6]), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.01)
features = tf.random.normal([64, 6])
dataset = tf.data.Dataset.from_tensor_slices((features, features[:, :1])).batch(8)
mean_loss = tf.keras.metrics.Mean()


def train_step(x, y):
    def of_replica(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        return loss

    return strategy.run(of_replica, args=(x, y))


lines = []
for x, y in dataset.repeat(3):
    mean_loss.update_state(train_step(x, y))
    lines.append(f"loss {mean_loss.result():.2f}")
count = len(lines)
