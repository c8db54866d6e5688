# Cross-validation: a turn for each fold, in which Keras trains and evaluates a model of its own.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(4)
x = np.random.default_rng(4).normal(size=(30, 3)).astype(np.float32)
y = x.sum(axis=1, keepdims=True)


def split(count, folds):
    order = np.arange(count)
    for fold in range(folds):
        held_out = order % folds == fold
        yield order[~held_out], order[held_out]


scores = []
for fold, (train, test) in enumerate(split(len(x), 3)):
    model = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(1)])
    model.compile(tf.keras.optimizers.SGD(0.05), "mse", jit_compile=False)
    stopping = tf.keras.callbacks.EarlyStopping("loss", patience=1)
    model.fit(x[train], y[train], epochs=2, batch_size=10, verbose=0, callbacks=[stopping])
    scores.append(model.evaluate(x[test], y[test], verbose=0))
    print("fold", fold, round(scores[-1], 3))
mean = float(np.mean(scores))
