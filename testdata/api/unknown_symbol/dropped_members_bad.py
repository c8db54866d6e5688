# Keras 3 dropped these members of optimizers, models and layers.
import tensorflow as tf

inputs = tf.keras.Input((4,))
dense = tf.keras.layers.Dense(2)
model = tf.keras.Model(inputs, dense(inputs))
print(dense.output_shape, model.output_shape)
print(model.get_layer("dense").get_output_at(0))
optimizer = tf.keras.optimizers.SGD(0.1)
optimizer.minimize(lambda: tf.reduce_sum(model(tf.ones([1, 4]))), model.trainable_variables)
model.predict_generator([tf.ones([1, 4])])
