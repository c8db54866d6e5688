# A name the step binds is bound anew on some turns before it is read: it need not go out.
import numpy as np
import tensorflow as tf


def train(turns):
    tf.keras.utils.set_random_seed(5)
    rng = np.random.RandomState(5)
    points = rng.uniform(size=(64, 3))
    model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(2), tf.keras.layers.Dense(3)])
    optimizer = tf.keras.optimizers.Adam(0.01)
    shown = []

    @tf.function(reduce_retracing=True)
    def train_step(chosen):
        with tf.GradientTape() as tape:
            output = model(chosen, training=True)
            loss = tf.reduce_mean(tf.square(output - chosen))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))

    for step in range(turns):
        chosen = points[rng.choice(len(points), 16)]
        train_step(tf.constant(chosen, tf.float32))
        if step % 10 == 0:
            output = model(points[:4], training=False)
            output = np.reshape(output, [2, 6])
            shown.append(output)
    return shown


shown = train(12)
