# Functions whose successor takes the same arguments are renamed, through the import there is.
# intent: correcting
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import losses

targets = tf.constant([[1.0], [2.0]])
outputs = tf.constant([[1.5], [1.0]])

squared = losses.MSE(targets, outputs)
absolute = tf.reduce_mean(losses.MAE(targets, outputs))
