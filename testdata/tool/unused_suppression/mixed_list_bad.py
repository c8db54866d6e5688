# In a list of codes only those of unused rules go; other tools' codes stay.
import os, tensorflow as tf  # noqa: E401, TXL501

x = tf.add(1, 2)  # noqa: TXL501, TXL502
y = tf.add(x, 3)  # noqa
