# Mechanism: a number that traced code changes and computes tensors with is one for all calls of a trace.
import tensorflow as tf


class DecayingLoss(tf.keras.losses.Loss):
    def __init__(self):
        super().__init__()
        self.beta = 1.0

    def call(self, y_true, y_pred):
        self.beta *= 0.9
        return self.beta * tf.reduce_mean(tf.square(y_true - y_pred))


scale = 1.0


@tf.function
def shrink(x):
    global scale
    scale *= 0.5
    return x * scale


model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", DecayingLoss())
model.fit(tf.ones([64, 2]), tf.ones([64, 1]))
for _ in range(10):
    print(shrink(tf.ones([2])))
