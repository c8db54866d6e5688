# Arguments that only Keras 2 took: the last version that did is named.
import tensorflow as tf


class Scale(tf.keras.layers.Layer):
    def __init__(self, **options):
        super().__init__(dynamic=True, **options)

    def build(self, shape):
        self.scale = self.add_weight(name="scale", shape=[shape[-1]], use_resource=True)

    def call(self, x):
        return x * self.scale


model = tf.keras.Sequential([Scale()])
model.compile("sgd", "mse", experimental_run_tf_function=False)
model.fit(tf.ones([8, 2]), tf.ones([8, 2]), workers=2, use_multiprocessing=True)
