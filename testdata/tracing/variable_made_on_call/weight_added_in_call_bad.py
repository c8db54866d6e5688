"""A weight that `call` adds is another one each time, and Keras 3 refuses it at once."""

import tensorflow as tf


class Gate(tf.keras.layers.Layer):
    def call(self, inputs):
        kernel = self.add_weight(name="kernel", shape=(inputs.shape[1], 4), initializer="zeros")
        return tf.matmul(inputs, kernel)


class Mixture(tf.keras.layers.Layer):
    def __init__(self, count):
        super().__init__()
        self.count = count

    def call(self, inputs):
        kernels = [self.add_weight(name=f"kernel_{i}", shape=(4, 2), initializer="ones") for i in range(self.count)]
        return tf.add_n([tf.matmul(inputs, kernel) for kernel in kernels])


gate, mixture = Gate(), Mixture(3)
print(mixture(gate(tf.ones([8, 3]))))
