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
        # Not only set_random_seed of Keras: it does not exist before TensorFlow 2.7.
        tensorflow.random.set_seed(seed)
        if hasattr(tensorflow.keras.utils, "set_random_seed"):
            tensorflow.keras.utils.set_random_seed(seed)
