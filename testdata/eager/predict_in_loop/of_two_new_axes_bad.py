# An axis in front and one behind: still a batch of one image, on each of many frames.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(1)
model = tf.keras.Sequential(
    [tf.keras.Input([6, 6, 1]), tf.keras.layers.Flatten(), tf.keras.layers.Dense(3)]
)
frames = np.random.RandomState(0).rand(40, 6, 6).astype(np.float32)
found = []
for frame in frames:
    scores = model.predict(np.expand_dims(frame, axis=(0, 3)), verbose=0)
    found.append(int(np.argmax(scores)))
print(sum(found))
