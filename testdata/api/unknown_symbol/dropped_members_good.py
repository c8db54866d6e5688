# A model may define again what Keras 3 dropped, and code may ask whether it is there.
import tensorflow as tf


class Batchwise(tf.keras.Model):
    """Defines what Keras dropped."""

    def predict_generator(self, batches):
        return [self(batch) for batch in batches]

    def call(self, inputs):
        return 2.0 * inputs


print(Batchwise().predict_generator([tf.ones([1, 4])]))
inputs = tf.keras.Input((4,))
model = tf.keras.Model(inputs, tf.keras.layers.Dense(2)(inputs))
print(model.input_shape, model.output_shape, model.inputs, model.outputs)
optimizer = tf.keras.optimizers.SGD(0.1)
if hasattr(optimizer, "minimize"):
    optimizer.minimize(lambda: tf.reduce_sum(model(tf.ones([1, 4]))), model.trainable_variables)
