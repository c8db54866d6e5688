# A renamed method, known by the kind of the object, in a list and in an attribute.
# intent: correcting
import tensorflow as tf
from tensorflow.keras.metrics import Mean


class History:
    def __init__(self):
        self.loss = tf.keras.metrics.Mean("loss")
        self.every = [self.loss, Mean("accuracy")]

    def restart(self):
        for metric in self.every:
            metric.reset_state()


history = History()
history.loss.update_state(3.0)
history.restart()
history.loss.update_state(tf.constant([1.0, 2.0]))
best = tf.metrics.Mean()
best.update_state(history.loss.result())
print(float(best.result()))
best.reset_state()
print(float(best.result()))
