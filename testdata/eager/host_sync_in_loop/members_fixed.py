# Several tensors are read at once: each member in a comprehension, their sum, the values of a dict.
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
features = tf.random.normal([64, 6])
target = tf.reduce_sum(features[:, :2], axis=1, keepdims=True)
model = tf.keras.Sequential([tf.keras.Input([6]), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.05)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        error = tf.reduce_mean(tf.square(model(x, training=True) - y))
        decay = 0.01 * tf.reduce_sum(tf.square(model.trainable_variables[0]))
        loss = error + decay
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return error, decay


@tf.function
def measure(x, y):
    error = model(x, training=False) - y
    return {"mean": tf.reduce_mean(error), "largest": tf.reduce_max(error)}


rows = []
for step in range(40):
    losses = train_step(features, target)
    rows.append(losses)
rows = [[each.numpy() for each in losses] for losses in rows]

totals = []
for step in range(40):
    losses = train_step(features, target)
    totals.append(sum(losses))
totals = [float(total) for total in totals]

lines = []
for step in range(40):
    measured = measure(features, target)
    lines.append(", ".join(f"{name} {value:.3f}" for name, value in measured.items()))
    features = tf.roll(features, 1, axis=0)
    target = tf.roll(target, 1, axis=0)
