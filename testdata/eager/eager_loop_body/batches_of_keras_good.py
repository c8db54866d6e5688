# Keras traces what `train_on_batch` and `test_on_batch` run; the loop only hands over the batches.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(6)
rng = np.random.default_rng(6)
x = rng.normal(size=(64, 5)).astype(np.float32)
y = (x.sum(axis=1) > 0.0).astype(np.int32)
model = tf.keras.Sequential(
    [tf.keras.Input((5,)), tf.keras.layers.Dense(8, "relu"), tf.keras.layers.Dense(2)]
)
model.compile(
    tf.keras.optimizers.Adam(0.01),
    tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    metrics=["accuracy"],
    jit_compile=False,
)

history = []
for epoch in range(3):
    order = rng.permutation(48)
    for start in range(0, 48, 16):
        rows = order[start : start + 16]
        loss, accuracy = model.train_on_batch(x[rows], y[rows])
    history.append((epoch, float(loss), float(model.test_on_batch(x[48:], y[48:])[0])))
print(history[-1])
