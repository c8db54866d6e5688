# A few rounds over what may be one thing or none: nobody knows of many calls.
import json
import sys

import tensorflow as tf

policy = tf.keras.Sequential([tf.keras.layers.Dense(16, "relu"), tf.keras.layers.Dense(2)])
starts = json.loads(sys.argv[1]) if len(sys.argv) > 1 else [0.0, 1.0]
for turn in range(30):
    for start in starts:
        print(policy(tf.constant([[float(start)]])).numpy())
