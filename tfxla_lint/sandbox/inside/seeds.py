"""Seeds what draws numbers in a program, as far as the program has imported it."""

from __future__ import annotations

import random
import sys


def seed_all(seed: int) -> None:
    """Start the generators of Python, NumPy, TensorFlow and Keras from a seed."""
    random.seed(seed)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(seed)
    tensorflow = sys.modules.get("tensorflow")
    if tensorflow is not None:
        # Keras seeds TensorFlow too, where it runs on that: to seed it takes as long as a short program.
        tensorflow.keras.utils.set_random_seed(seed)
        if tensorflow.keras.backend.backend() != "tensorflow":
            tensorflow.random.set_seed(seed)
