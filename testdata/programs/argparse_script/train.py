#!/usr/bin/env python
"""Denoising autoencoder on synthetic bars. Usage: train.py [--epochs N] [--noise S] ..."""
import argparse
import sys

import numpy as np
import tensorflow as tf


def parse_args():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--lr", type=float, default=2e-3)
    parser.add_argument("--noise", type=float, default=0.3, help="strength of the noise")
    parser.add_argument("--weight-decay", type=float, default=1e-4)
    parser.add_argument("--optimizer", choices=["adam", "sgd"], default="adam")
    parser.add_argument("--log-every", type=int, default=4)
    parser.add_argument("--seed", type=int, default=3)
    return parser.parse_args()


def load_bars(n, size, rng):
    """Pictures with one bright row and one bright column."""
    pictures = np.zeros((n, size, size), dtype=np.float32)
    for i in range(n):
        pictures[i, rng.randint(size)] = 1.0
        pictures[i, :, rng.randint(size)] = 1.0
    return pictures.reshape(n, size * size)


def build_model(size, code=12):
    inputs = tf.keras.Input(shape=(size * size,))
    h = tf.keras.layers.Dense(48, activation="relu")(inputs)
    h = tf.keras.layers.Dense(code, activation="relu")(h)
    h = tf.keras.layers.Dense(48, activation="relu")(h)
    outputs = tf.keras.layers.Dense(size * size, activation="sigmoid")(h)
    return tf.keras.Model(inputs, outputs)


def make_optimizer(args):
    if args.optimizer == "sgd":
        return tf.keras.optimizers.SGD(args.lr, momentum=0.9)
    return tf.keras.optimizers.Adam(args.lr)


def main(args):
    tf.random.set_seed(args.seed)
    rng = np.random.RandomState(args.seed)
    x_train = load_bars(320, 8, rng)
    x_test = load_bars(64, 8, rng)

    model = build_model(8)
    optimizer = make_optimizer(args)
    steps_per_epoch = len(x_train) // args.batch_size

    history = []
    for epoch in range(args.epochs):
        perm = rng.permutation(len(x_train))
        running = 0.0
        for i in range(steps_per_epoch):
            batch = x_train[perm[i * args.batch_size:(i + 1) * args.batch_size]]
            noisy = batch + args.noise * rng.randn(*batch.shape).astype(np.float32)

            with tf.GradientTape() as tape:
                restored = model(noisy, training=True)
                loss = tf.reduce_mean(tf.keras.losses.binary_crossentropy(batch, restored))
                penalty = tf.add_n([tf.nn.l2_loss(v) for v in model.trainable_variables
                                    if "kernel" in v.name])
                loss = loss + args.weight_decay * penalty
            gradients = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, model.trainable_variables))

            running += loss.numpy()
            if (i + 1) % args.log_every == 0:
                print(f"epoch {epoch + 1} [{i + 1}/{steps_per_epoch}] loss {running / (i + 1):.4f}")
                sys.stdout.flush()

        restored = model(x_test + args.noise * rng.randn(*x_test.shape).astype(np.float32))
        error = tf.reduce_mean(tf.abs(restored - x_test)).numpy()
        history.append((running / steps_per_epoch, error))
        print(f"epoch {epoch + 1}: test error {error:.4f}")

    return model, history


if __name__ == "__main__":
    args = parse_args()
    model, history = main(args)
    print("final test error: {:.4f}".format(history[-1][1]))
