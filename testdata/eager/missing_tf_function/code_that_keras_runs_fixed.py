"""A schedule, a constraint and an activation of the project's own branch on tensors: Keras 3 runs them, in a trace too."""

import tensorflow as tf


class WarmUp(tf.keras.optimizers.schedules.LearningRateSchedule):
    def __call__(self, step):
        if step < 5:
            return 0.01
        return 0.1


class UnitNorm(tf.keras.constraints.Constraint):
    def __call__(self, weights):
        if tf.norm(weights) > 1.0:
            return weights / tf.norm(weights)
        return weights


def gated(x):
    if tf.reduce_mean(x) > 0.0:
        return tf.nn.relu(x)
    return tf.tanh(x)


scheduled = tf.keras.optimizers.SGD(WarmUp())
plain = tf.keras.optimizers.SGD(0.1)
simple = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(1)])
bounded = tf.keras.Sequential(
    [tf.keras.Input([4]), tf.keras.layers.Dense(1, kernel_constraint=UnitNorm())]
)
bent = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(1, activation=gated)])


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(simple(x) - y))
    gradients = tape.gradient(loss, simple.trainable_variables)
    return loss, gradients


def scheduled_step(x, y):
    loss, gradients = train_step(x, y)
    scheduled.apply_gradients(zip(gradients, simple.trainable_variables))
    return loss


def bounded_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(bounded(x) - y))
    gradients = tape.gradient(loss, bounded.trainable_variables)
    plain.apply_gradients(zip(gradients, bounded.trainable_variables))
    return loss


def bent_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(bent(x) - y))
    return tape.gradient(loss, bent.trainable_variables)


batches = tf.data.Dataset.from_tensors((tf.ones([8, 4]), tf.ones([8, 1]))).repeat(40)
for x, y in batches:
    scheduled_step(x, y)
    bounded_step(x, y)
    bent_step(x, y)
