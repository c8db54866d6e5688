"""Dense layers of a thousand units: dispatch and kernels take about the same."""
import tensorflow as tf

STEPS = 8

x = tf.random.normal([128, 512], seed=1)
y = tf.random.normal([128, 10], seed=2)
model = tf.keras.Sequential([
    tf.keras.Input((512,)),
    tf.keras.layers.Dense(1024, activation="relu"),
    tf.keras.layers.Dense(1024, activation="relu"),
    tf.keras.layers.Dense(10),
])
optimizer = tf.keras.optimizers.SGD(1e-3)


def train():
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


for step in range(STEPS):
    loss = train()
