# A method renamed, of an object known to be a metric, whose target still has both names.
# tf-version: 2.12
# intent: correcting
import tensorflow as tf

loss = tf.keras.metrics.Mean()
for epoch in range(3):
    loss.update_state(tf.ones([4]))
    print(float(loss.result()))
    loss.reset_states()
