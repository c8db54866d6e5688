# All that stands at the end of a tape's block, behind the update, can follow the step in its order: counting, deciding, telling.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(7)
model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(6, "tanh"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.05)
steps = tf.Variable(0, dtype=tf.int64)
rates = []


def train_step(x, y):
    with tf.GradientTape() as tape:
        guess = model(x, training=True)
        error = tf.reduce_mean(tf.square(guess - y))
        penalty = tf.add_n([tf.nn.l2_loss(w) for w in model.trainable_variables]) * 0.001
        loss = error + penalty

        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        print("step %d: loss %.4f, penalty %.4f" % (steps.numpy(), loss.numpy(), penalty.numpy()))
        # the rate falls
        steps.assign_add(1)
        if steps < 6:
            rate = tf.cast(steps, tf.float32) / 60.0
        else:
            rate = tf.constant(0.02)
        optimizer.learning_rate.assign(rate.numpy())
        rates.append(float(optimizer.learning_rate))


rng = np.random.default_rng(7)
features = rng.normal(size=(96, 4)).astype(np.float32)
rows = tf.data.Dataset.from_tensor_slices((features, features[:, :1] * 2 - features[:, 2:3])).batch(8)
for x, y in rows:
    train_step(x, y)
