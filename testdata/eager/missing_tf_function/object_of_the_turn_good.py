"""Now and then a training run makes an object to look at the model with, and asks it once: a trace is no use."""

import numpy as np
import tensorflow as tf

model = tf.keras.Sequential(
    [tf.keras.Input([6, 6, 3]), tf.keras.layers.Conv2D(4, 3, name="conv"), tf.keras.layers.Flatten(), tf.keras.layers.Dense(5)]
)
model.compile("sgd", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
images, labels = np.ones([64, 6, 6, 3], "float32"), np.zeros([64], "int32")


class Saliency:
    def __init__(self, net):
        self.model = tf.keras.Model(net.inputs, [net.get_layer("conv").output, net.output])

    def generate(self, image, index):
        with tf.GradientTape() as tape:
            features, scores = self.model(image)
            score = scores[:, index]
        gradients = tape.gradient(score, features)
        return tf.reduce_mean(gradients * features, axis=(0, 1, 2)).numpy()


for epoch in range(300):
    model.fit(images, labels, verbose=0)
    if (epoch + 1) % 2 == 0:
        saliency = Saliency(model)
        print(epoch, saliency.generate(images[:1], 0))
