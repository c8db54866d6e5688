# A trace would keep what a Lambda layer read when it was made: the global that the loop changes.
import tensorflow as tf

scale = 1.0
model = tf.keras.Sequential(
    [tf.keras.Input([4]), tf.keras.layers.Lambda(lambda inputs: inputs * scale), tf.keras.layers.Dense(2)]
)
states = tf.random.stateless_normal([60, 3, 4], seed=[1, 2])

for number in range(60):
    outputs = model(states[number])
    print("output", outputs.numpy().sum())
    scale = 0.5 * scale
