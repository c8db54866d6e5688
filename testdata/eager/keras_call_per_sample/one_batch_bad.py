# One epoch over one batch is `train_on_batch`, whose weights of samples are the same argument.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(1)
model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")

for step in range(5):
    x = np.full([8, 4], 0.1 * step)
    y = np.ones([8, 1])
    model.fit(x, y, epochs=1, verbose=0)
    model.fit(x, y, batch_size=8, sample_weight=np.ones([8]), shuffle=False, verbose=0)

weights = model.get_weights()
