# The target is Keras 2, which takes all of these.
# tf-version: 2.15
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1, batch_input_shape=(None, 2))])
model.compile(tf.keras.optimizers.SGD(lr=0.1), "mse", experimental_run_tf_function=False)
model.compile(tf.keras.optimizers.SGD(0.1), "mse", sample_weight_mode=None)
model.fit(tf.ones([8, 2]), tf.ones([8, 1]), workers=1, verbose=0)
