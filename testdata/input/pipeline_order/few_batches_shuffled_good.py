# Rows are shuffled, then batches: the second only mixes what the first has put together anew.
import tensorflow as tf

rows = tf.data.Dataset.from_tensor_slices((tf.ones([32, 4]), tf.zeros([32, 1])))
data = rows.shuffle(32, seed=1).batch(4).shuffle(8, seed=2).prefetch(1)
model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(1, kernel_initializer="ones")])
model.compile("sgd", "mse", jit_compile=False)
model.fit(data, epochs=2, verbose=0)
