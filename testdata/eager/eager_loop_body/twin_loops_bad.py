# Steps of two loops in one module: names are made of what is free and of the datasets.
import tensorflow as tf

tf.keras.utils.set_random_seed(5)
train_step = 0
inputs = tf.random.stateless_normal([16, 3], [0, 1])
train_ds = tf.data.Dataset.from_tensor_slices((inputs, inputs[:, :1])).batch(4)
tuning_ds = tf.data.Dataset.from_tensor_slices((inputs, inputs[:, 1:2])).batch(4)
model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.05)


def fit(rate):
    for x, y in train_ds:
        with tf.GradientTape() as tape:
            loss = rate * tf.reduce_mean(tf.square(model(x) - y))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


losses = [float(fit(1.0))]
for epoch in range(3):
    for x, y in train_ds:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        train_step += 1
    losses.append(float(loss))
for epoch in range(3):
    for x, y in tuning_ds:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.abs(model(x, training=True) - y))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        train_step += 1
    losses.append(float(loss))
