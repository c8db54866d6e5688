# A model called once an epoch, or every third step, is not called on each turn.
import tensorflow as tf

tf.keras.utils.set_random_seed(2)
generator = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(3)])
noise = tf.random.normal([4, 2], seed=3)
data = tf.data.Dataset.from_tensor_slices(tf.random.normal([24, 3], seed=4)).batch(6)


@tf.function
def train_step(real):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(generator(noise) - real[:4]))
    gradients = tape.gradient(loss, generator.trainable_variables)
    for variable, gradient in zip(generator.trainable_variables, gradients):
        variable.assign_sub(0.1 * gradient)


samples = []
for epoch in range(8):
    for step, real in enumerate(data):
        train_step(real)
        if step % 3 == 0:
            samples.append(generator(noise, training=False))
    samples.append(generator(noise, training=False))
