# What a traced function draws only if somebody asks for pictures, by an option that is off, is there to find defects.
import argparse

import matplotlib.pyplot as plt
import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--show-images", action="store_true")
options = parser.parse_args()


def show(images):
    plt.figure()
    plt.imshow(images[0])
    plt.show()


@tf.function
def step(images):
    blurred = tf.nn.avg_pool2d(images, 3, 1, "SAME")
    if options.show_images:
        show(blurred)
    return tf.reduce_mean(tf.square(images - blurred))


for _ in range(100):
    step(tf.ones([4, 8, 8, 3]))
