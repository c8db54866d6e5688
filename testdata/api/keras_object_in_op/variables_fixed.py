# Variables of Keras 3 are none of TensorFlow's, and have methods that set them.
# intent: correcting
import tensorflow as tf
from tensorflow.keras import backend as K

optimizer = tf.keras.optimizers.SGD(0.1)
for epoch in range(3):
    optimizer.learning_rate.assign(0.1 * 0.5**epoch)
optimizer.iterations.assign_add(1)
print(K.get_value(optimizer.learning_rate), int(optimizer.iterations))
