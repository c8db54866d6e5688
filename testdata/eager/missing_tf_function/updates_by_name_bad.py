# The gradients of several parts are applied eagerly beside a traced step, each by its own optimizer.
import tensorflow as tf

tf.keras.utils.set_random_seed(2)
parts = {"wide": tf.Variable(tf.ones([6])), "deep": tf.Variable(tf.ones([6]))}
optimizers = {"wide": tf.keras.optimizers.SGD(0.1), "deep": tf.keras.optimizers.Adam(0.1)}
sums = {name: tf.zeros([6]) for name in parts}


@tf.function
def gradients_of(x):
    with tf.GradientTape(persistent=True) as tape:
        loss = tf.reduce_sum(tf.square(parts["wide"] * x + parts["deep"] - 2.0))
    return {name: tape.gradient(loss, part) for name, part in parts.items()}


def apply(name, gradient, step):
    sums[name] = sums[name] + tf.clip_by_norm(gradient, 1.0)
    if (step + 1) % 2 == 0:
        optimizers[name].apply_gradients([(sums[name], parts[name])])
        sums[name] = tf.zeros_like(sums[name])


for step in range(50):
    found = gradients_of(tf.linspace(0.0, 1.0, 6))
    for name in ["wide", "deep"]:
        apply(name, found[name], step)
