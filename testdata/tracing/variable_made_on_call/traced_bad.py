# Variables, metrics, optimizers and generators made by each call of traced code.
# intent: correcting
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(1)])


@tf.function
def counted(x):
    count = tf.Variable(0.0)
    count.assign_add(tf.reduce_sum(x))
    return count.read_value()


def mean_of(values):
    metric = tf.keras.metrics.Mean()
    metric.update_state(values)
    return metric.result()


@tf.function
def train_step(x, y):
    optimizer = tf.keras.optimizers.Adam(1e-3)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return mean_of(loss)


def noisy(x):
    generator = tf.random.Generator.from_seed(1)
    hidden = tf.keras.layers.Dense(4)
    return hidden(x + generator.normal(tf.shape(x)))


rows = tf.data.Dataset.from_tensors(tf.ones([2, 3])).map(noisy)
loss = train_step(tf.ones([2, 3]), tf.zeros([2, 1]))
total = counted(tf.ones([2]))
