# Each turn of a loop asks the tape again that the first one has used up.
# intent: correcting
import tensorflow as tf

x = tf.Variable([1.0, 2.0, 3.0])

with tf.GradientTape() as tape:
    parts = tf.unstack(x * x)
rows = []
for part in parts:
    rows.append(tape.gradient(part, x))
jacobian = tf.stack(rows)

with tf.GradientTape(watch_accessed_variables=True) as cubes:
    cubed = tf.unstack(x**3)
columns = [cubes.gradient(part, x) for part in cubed]
