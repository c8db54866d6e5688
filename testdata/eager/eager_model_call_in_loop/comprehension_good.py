# Comprehensions over the parts of a model, over a few members, and one that ends early.
import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(2)])
others = [tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(1)]) for _ in range(30)]
rows = np.ones([8, 4], dtype=np.float32)
data = tf.data.Dataset.from_tensor_slices(np.ones([60, 4], dtype=np.float32)).batch(2)

each = [other(rows) for other in others]
few = [model(rows * scale) for scale in (1.0, 2.0, 3.0)]
found = any(float(tf.reduce_max(model(batch))) > -1e6 for batch in data)
traced = tf.function(model)
whole = [traced(batch) for batch in data]
