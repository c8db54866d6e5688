# Variables of Keras 3 are none of TensorFlow's, and have methods that set them.
# intent: correcting
import tensorflow as tf
from tensorflow.keras import backend as K

optimizer = tf.keras.optimizers.SGD(0.1)
for epoch in range(3):
    K.set_value(optimizer.learning_rate, 0.1 * 0.5**epoch)
K.update_add(optimizer.iterations, 1)
print(K.get_value(optimizer.learning_rate), int(optimizer.iterations))
