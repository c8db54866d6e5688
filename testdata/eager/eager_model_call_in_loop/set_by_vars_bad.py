"""What `vars(model).update` sets is seen in no assignment: the model is not wrapped unasked."""

import tensorflow as tf


class Affine(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable(tf.ones([4, 1]))
        self.scale = 1.0

    def __call__(self, x):
        y = tf.matmul(x, self.w) * self.scale
        return tf.nn.relu(y) + tf.reduce_sum(y)


model = Affine()
vars(model).update(scale=0.5)
x = tf.ones([3, 4])
for step in range(40):
    result = model(x)
    print(float(tf.reduce_sum(result)))
