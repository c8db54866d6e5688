# Both names, a position that is taken, or `**options`: a renaming could pass one twice.
import tensorflow as tf

rate = 0.1
options = {"momentum": 0.9}

both = tf.keras.optimizers.SGD(lr=rate, learning_rate=rate)
positional = tf.keras.optimizers.SGD(rate, lr=rate)
unseen = tf.keras.optimizers.SGD(lr=rate, **options)
dropped = tf.nn.dropout(tf.ones([4]), keep_prob=0.5)
