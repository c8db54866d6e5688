# Mechanism: text made of a tensor waits for its value, and what a comprehension spells is shown, too.
import tensorflow as tf

data = tf.data.Dataset.from_tensor_slices(tf.zeros([1000, 5])).batch(10)
mean = tf.keras.metrics.Mean()


@tf.function
def step(x):
    loss = tf.reduce_sum(x)
    mean(loss)
    return loss


for x in data:
    loss = step(x)
    print("loss " + str(loss))
for x in data:
    step(x)
    shown = {"mean": mean.result().numpy()}
    print(",".join([str(value) for value in shown.values()]))
