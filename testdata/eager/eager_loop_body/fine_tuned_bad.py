# A trace freezes `trainable`, which is turned on between two runs of the loop: no fix.
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
base = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(8, activation="relu")])
model = tf.keras.Sequential([base, tf.keras.layers.Dense(1)])
x = tf.random.normal([32, 4])
y = tf.reduce_sum(x, axis=1, keepdims=True)


def fit(steps, optimizer):
    for _ in range(steps):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x) - y))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return float(loss)


base.trainable = False
first = fit(10, tf.keras.optimizers.SGD(0.01))
base.trainable = True
second = fit(10, tf.keras.optimizers.SGD(0.001))
