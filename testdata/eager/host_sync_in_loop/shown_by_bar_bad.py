# Numbers made for a bar are waited for on each turn.
import tensorflow as tf
from tensorflow.keras.utils import Progbar

w = tf.Variable(tf.ones([6, 1]))
features = tf.random.stateless_normal([64, 6], seed=[1, 2])
dataset = tf.data.Dataset.from_tensor_slices(features).batch(4)


@tf.function
def train_step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ w))
    w.assign_sub(0.1 * tape.gradient(loss, w))
    return loss


bar = Progbar(16, verbose=0)
for step, batch in enumerate(dataset):
    loss = train_step(batch)
    bar.update(step + 1, values=[("loss", float(loss))])
