# A step that the program runs a few times only may tell of itself below the tape.
import tensorflow as tf

tf.keras.utils.set_random_seed(7)
model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.05)


def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        print("loss %.4f" % loss.numpy())


for turn in range(2):
    train_step(tf.ones([8, 4]), tf.ones([8, 1]))
