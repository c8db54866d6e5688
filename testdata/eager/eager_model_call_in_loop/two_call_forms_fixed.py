# One loop leaves out an argument that the next one names: a trace that is relaxed for both fails in TensorFlow.
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(4, activation="tanh")])
inputs = tf.random.stateless_uniform([230, 3], [1, 1])
traced_model = tf.function(model)
for batch in tf.data.Dataset.from_tensor_slices(inputs).batch(8):
    outputs = traced_model(batch)
for batch in tf.data.Dataset.from_tensor_slices(inputs[:90]).batch(4):
    outputs = traced_model(batch, training=False)
print(outputs.numpy())
