# What `tf.saved_model.load` gives is traced already, though it is called like a model.
import os
import tempfile

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(8)


class Net(tf.Module):
    def __init__(self):
        self.w = tf.Variable(tf.ones([3, 2]))

    @tf.function(input_signature=[tf.TensorSpec([None, 3]), tf.TensorSpec([], tf.bool)])
    def __call__(self, x, training):
        return x @ self.w


folder = os.path.join(tempfile.mkdtemp(), "net")
tf.saved_model.save(Net(), folder)
model = tf.saved_model.load(folder)
sums = []
for turn in range(40):
    x = np.full([1, 3], turn, np.float32)
    sums.append(float(tf.reduce_sum(model(x, training=False))))
print(sums)
