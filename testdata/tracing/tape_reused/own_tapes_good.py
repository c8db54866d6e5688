# A tape for each gradient, persistent ones, and a gradient below the tape itself.
import tensorflow as tf

x = tf.Variable(2.0)
steps = []
for power in (2.0, 3.0):
    with tf.GradientTape() as tape:
        y = x**power
    steps.append(tape.gradient(y, x))

with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = x**3
    first = inner.gradient(y, x)
second = outer.gradient(first, x)

with tf.GradientTape() as generator_tape, tf.GradientTape() as critic_tape:
    y = x * x
pair = generator_tape.gradient(y, x), critic_tape.gradient(y, x)

with tf.GradientTape() as tape:
    y = x * x
    inside = tape.gradient(y, x)

with tf.GradientTape(persistent=True) as kept:
    y = x * x
    z = y * y
both = kept.gradient(y, x), kept.gradient(z, x)
del kept
