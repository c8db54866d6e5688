# In a list of codes only those of unused rules go; other tools' codes stay.
import os, tensorflow as tf  # noqa: E401

x = tf.add(1, 2)
y = tf.add(x, 3)  # noqa
