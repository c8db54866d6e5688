"""A tape is asked for the gradient by one output of a model: had a trace made both, there would be none."""

import tensorflow as tf

tf.keras.utils.set_random_seed(2)
base = tf.keras.Sequential(
    [tf.keras.Input([6, 6, 3]), tf.keras.layers.Conv2D(4, 3, name="conv"), tf.keras.layers.Flatten(), tf.keras.layers.Dense(5)]
)


class Saliency:
    def __init__(self, net):
        self.model = tf.keras.Model(net.inputs, [net.get_layer("conv").output, net.output])

    def generate(self, image, index):
        with tf.GradientTape() as tape:
            features, scores = self.model(image)
            score = scores[:, index]
        gradients = tape.gradient(score, features)
        return tf.reduce_mean(gradients * features, axis=(0, 1, 2)).numpy()


saliency = Saliency(base)
for turn in range(60):
    image = tf.random.stateless_normal([1, 6, 6, 3], [turn, 1])
    print(saliency.generate(image, turn % 5))
