# A variable of TensorFlow's own is set by any of them, and all may be read.
import tensorflow as tf
from tensorflow.keras import backend as K

rate = tf.Variable(0.1)
K.set_value(rate, 0.05)
optimizer = tf.keras.optimizers.SGD(0.1)
print(K.get_value(optimizer.learning_rate), K.get_value(rate))
inputs = tf.keras.Input((4,))
print(K.int_shape(inputs), K.is_keras_tensor(inputs))
