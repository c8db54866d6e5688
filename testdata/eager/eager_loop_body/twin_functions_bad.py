# Steps that would share a name at module level are named after the functions they come from.
import tensorflow as tf


def warm_up(model, optimizer, data):
    for x, y in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


def sharpen(model, optimizer, data):
    for x, y in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.abs(model(x, training=True) - y))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


def highest(model, data):
    found = []
    for x, _ in data:
        score = model(x, training=False) * 2.0
        found.append(float(tf.reduce_max(score)))
    return found


def lowest(model, data):
    found = []
    for x, _ in data:
        score = model(x, training=False) / 2.0
        found.append(float(tf.reduce_min(score)))
    return found


tf.keras.utils.set_random_seed(3)
inputs = tf.random.stateless_normal([16, 3], [0, 1])
data = tf.data.Dataset.from_tensor_slices((inputs, inputs[:, :1])).batch(4)
model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.05)
losses = []
scores = []
for epoch in range(3):
    losses.append(float(warm_up(model, optimizer, data)))
    losses.append(float(sharpen(model, optimizer, data)))
    scores += highest(model, data) + lowest(model, data)
