# Each run has an optimizer of its own, whose variables one trace can't make twice.
import tensorflow as tf

inputs = tf.ones((16, 3))


def step(model, optimizer):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(inputs) - 1.0))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


def run(rate):
    # One trace for each optimizer: a second one could make no variables in the trace of the first.
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    optimizer = tf.keras.optimizers.Adam(rate)
    traced_step = tf.function(step)
    for _ in range(40):
        loss = traced_step(model, optimizer)
    return float(loss)


for power in range(10):
    print(round(run(0.5**power), 4))
