# The file knows Keras only: the fix imports TensorFlow, below docstring and future import.
# Scores states, one by one.
"""A walk that a small network leads."""

from __future__ import annotations

import numpy as np
from tensorflow.keras import Input, Sequential, layers

network = Sequential([Input([4]), layers.Dense(8, activation="relu"), layers.Dense(2)])


def walk(state: np.ndarray, length: int) -> float:
    total = 0.0
    for _ in range(length):
        values = network(state[None], training=False).numpy()
        state = np.roll(state, 1) * 0.9
        total += values.max()
    return total


print(walk(np.linspace(-1.0, 1.0, 4).astype(np.float32), 60))
