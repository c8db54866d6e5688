# Each worker of joblib predicts on all that it is given, once.
import numpy as np
from joblib import Parallel, delayed
from tensorflow import keras

network = keras.models.load_model("network.keras")


def marks(rows):
    return network.predict(rows).argmax(axis=1)


def main(parts):
    return np.concatenate(Parallel(n_jobs=2)(delayed(marks)(part) for part in np.split(parts, 2)))
