# What `delayed` is given is run by joblib, with what its result is called with.
import numpy as np
from joblib import Parallel, delayed
from tensorflow import keras

network = keras.models.load_model("network.keras")


def choose(state):
    parts = [np.zeros([1, 2]), np.asarray(state).reshape(1, 6)]
    return int(network.predict(parts)[0].argmax())


def play(chooses, env):
    state = env.reset()
    for _ in range(3000):
        state, reward, done, _ = env.step(chooses(state))


def main(env):
    Parallel(n_jobs=2)(delayed(play)(choose, env) for _ in range(2))
