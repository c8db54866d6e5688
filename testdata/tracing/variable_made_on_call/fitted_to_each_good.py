# Steps of gradients change the variable of each picture, which a tensor could not be.
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(3)])
pictures = tf.random.stateless_uniform([40, 4], seed=[1, 2])


@tf.function
def score(rows):
    return tf.reduce_sum(tf.square(model(rows)))


def nearest(picture):
    rows = tf.Variable(picture[tf.newaxis])
    with tf.GradientTape() as tape:
        loss = score(rows)
    rows.assign_sub(0.1 * tape.gradient(loss, rows))
    return tf.reduce_sum(rows)


found = []
for picture in tf.data.Dataset.from_tensor_slices(pictures):
    found.append(nearest(picture))
total = tf.add_n(found)
