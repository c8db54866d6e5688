# Shuffled, cached, augmented, repeated, batched: in the order that does what is meant.
import tensorflow as tf


def augment(image, label):
    return tf.image.random_flip_up_down(image), label


def decode(path, label):
    return tf.io.decode_png(tf.io.read_file(path)), label


def training(paths, labels, epochs):
    data = tf.data.Dataset.from_tensor_slices((paths, labels)).shuffle(1000)
    data = data.map(decode).cache().shuffle(1000).map(augment)
    return data.repeat(epochs).batch(32).prefetch(2)


def reshuffled(x):
    return tf.data.Dataset.from_tensor_slices(x).shuffle(1000).batch(32).shuffle(10)


def endless(x):
    return tf.data.Dataset.from_tensor_slices(x).cache().repeat().shuffle(1000).batch(32)
