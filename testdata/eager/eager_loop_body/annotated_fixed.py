# The hoisted step is annotated and documented as the methods around it are.
"""Fits a line, after the habits of an author who documents and annotates everything."""

from __future__ import annotations

import numpy as np
import tensorflow as tf


class Line:
    """A line through points."""

    def __init__(self, rate: float) -> None:
        """Start at nothing."""
        self.slope = tf.Variable(0.0)
        self.offset = tf.Variable(0.0)
        self.rate = rate

    def predict(self, x: tf.Tensor) -> tf.Tensor:
        """The line at some places."""
        return self.slope * x + self.offset

    @tf.function
    def train_step(self, x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.predict(x) - y))
        slope, offset = tape.gradient(loss, [self.slope, self.offset])
        self.slope.assign_sub(self.rate * slope)
        self.offset.assign_sub(self.rate * offset)
        return loss

    def fit(self, points: tf.data.Dataset, epochs: int) -> list[float]:
        """Fit the line and give the mean loss of each epoch."""
        means: list[float] = []
        for _ in range(epochs):
            total = 0.0
            for count, (x, y) in enumerate(points, start=1):
                loss = self.train_step(x, y)
                total += float(loss)
            means.append(total / count)
        return means


def run(count: int) -> tuple[list[float], np.ndarray]:
    """Fit a line through some points."""
    x = tf.linspace(-1.0, 1.0, count)
    points = tf.data.Dataset.from_tensor_slices((x, 2.0 * x - 0.5)).batch(8)
    line = Line(0.1)
    means = line.fit(points, 4)
    return means, line.predict(x).numpy()


means, fitted = run(32)
