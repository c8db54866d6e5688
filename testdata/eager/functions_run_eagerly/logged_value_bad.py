# A traced function keeps numbers of its tensors in a list: it only works while all runs eagerly, and no fix is right.
import tensorflow as tf

tf.config.run_functions_eagerly(True)
log = []


@tf.function
def doubled(x):
    log.append(float(x))
    return x * 2.0


for turn in range(5):
    doubled(tf.constant(float(turn)))
print(log)
