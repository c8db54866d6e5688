# What the `call` of a Keras model asks of a part that nobody knows here is traced by Keras itself, under
# `fit` and where a model is built: the step may trace it, too.
import tensorflow as tf

tf.keras.utils.set_random_seed(6)
x = tf.random.normal([64, 3])
data = tf.data.Dataset.from_tensor_slices((x, tf.reduce_sum(x, 1, keepdims=True))).batch(8)


def brought(name):
    return getattr(tf.keras.layers, name.strip())


class Scorer(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.hidden = brought("Dense ")(4, activation="tanh")
        self.score = brought(" Dense")(1)

    def call(self, inputs):
        return self.score(self.hidden(inputs))


model = Scorer()
model(x)


@tf.function
def compute_loss(features, labels):
    return tf.reduce_mean(tf.square(model(features, training=False) - labels))


for epoch in range(3):
    total = tf.constant(0.0)
    for features, labels in data:
        loss = compute_loss(features, labels)
        total += loss
    print(epoch, round(float(total), 3))
