# `range` over a number is unrolled for each value: as a tensor it turns in the graph.
import tensorflow as tf


class Diffusion:
    @tf.function
    def fade(self, turns):
        image = tf.ones([2, 2], tf.float32)
        for _ in range(turns):
            image = image * 0.9
        return image


diffusion = Diffusion()
fades = []
for noise in range(1, 21):
    fades.append(diffusion.fade(tf.constant(noise)))
print(len(fades))
