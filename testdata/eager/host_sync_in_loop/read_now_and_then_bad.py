# Reads under a test on the counter take what they need; a slice is read member by member.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
features = tf.random.normal([64, 6])
target = tf.reduce_sum(features[:, :2], axis=1, keepdims=True)
dataset = tf.data.Dataset.from_tensor_slices((features, target)).batch(8)
model = tf.keras.Sequential([tf.keras.Input([6]), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.05)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss

history = []
step = 0
while step < 60:
    loss = train_step(features, target)
    history.append(float(loss))
    step += 1
    if step % 20 == 0:
        print("step %d: loss %.4f" % (step, history[-1]))
        print("of late %.4f" % np.mean(history[-10:]))
    if step % 30 == 0 and history[-1] > 100.0:
        break
