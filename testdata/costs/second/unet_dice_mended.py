"""Outlines in pictures: a small U-shaped network and a loss of overlap, run from the command line."""
import argparse

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers as L


def unet(size=32, width=8):
    inputs = L.Input((size, size, 1))
    a = L.Conv2D(width, 3, padding="same", activation="relu")(inputs)
    b = L.MaxPooling2D()(a)
    b = L.Conv2D(2 * width, 3, padding="same", activation="relu")(b)
    c = L.MaxPooling2D()(b)
    c = L.Conv2D(2 * width, 3, padding="same", activation="relu")(c)
    d = L.Conv2DTranspose(2 * width, 2, strides=2, activation="relu")(c)
    d = L.Concatenate()([d, b])
    d = L.Conv2D(width, 3, padding="same", activation="relu")(d)
    e = L.Conv2DTranspose(width, 2, strides=2, activation="relu")(d)
    e = L.Concatenate()([e, a])
    return tf.keras.Model(inputs, L.Conv2D(1, 1, activation="sigmoid")(e))


def dice_loss(y_true, y_pred, smooth=1.0):
    intersection = tf.reduce_sum(y_true * y_pred, axis=[1, 2, 3])
    union = tf.reduce_sum(y_true, axis=[1, 2, 3]) + tf.reduce_sum(y_pred, axis=[1, 2, 3])
    return 1.0 - tf.reduce_mean((2.0 * intersection + smooth) / (union + smooth))


@tf.function
def train_step(model, optimizer, images, masks):
    with tf.GradientTape() as tape:
        predicted = model(images, training=True)
        overlap = dice_loss(masks, predicted)
        entropy = tf.reduce_mean(tf.keras.losses.binary_crossentropy(masks, predicted))
        loss = overlap + entropy
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=3)
    args = parser.parse_args()
    rng = np.random.default_rng(13)
    images = rng.uniform(size=(32, 32, 32, 1)).astype("float32")
    masks = (images > 0.7).astype("float32")
    data = tf.data.Dataset.from_tensor_slices((images, masks)).batch(8)
    model = unet()
    optimizer = tf.keras.optimizers.Adam(1e-3)
    for epoch in range(args.epochs):
        for x, y in data:
            loss = train_step(model, optimizer, x, y)
        print(epoch, float(loss))


if __name__ == "__main__":
    main()
