# A function that nobody calls here and that has a loop of tapes of its own is a whole search, which
# nobody traces: it is hot by that loop.
import tensorflow as tf


class Perturbation:
    def __init__(self, model, loss, steps=40):
        self.model, self.loss, self.steps = model, loss, steps

    def generate(self, images, labels):
        changed = tf.identity(images)

        @tf.function
        def gradient_step(changed):
            with tf.GradientTape() as tape:
                tape.watch(changed)
                value = self.loss(labels, self.model(changed))
            gradient = tape.gradient(value, changed)
            return tf.clip_by_value(changed + 0.01 * tf.sign(gradient), 0.0, 1.0)

        for _ in range(self.steps):
            changed = gradient_step(changed)
        return changed


def attributions(model, x, steps=50):
    total = tf.zeros_like(x)
    for step in range(1, steps + 1):
        scaled = x * (step / steps)
        with tf.GradientTape() as tape:
            tape.watch(scaled)
            value = tf.reduce_sum(model(scaled))
        total += tape.gradient(value, scaled)
    return total / steps
