"""The class is given another model, which a trace of the class method would not see."""

import tensorflow as tf

features = tf.reshape(tf.sin(tf.range(192.0)), [64, 3])
labels = tf.reduce_sum(features, axis=1, keepdims=True)
data = tf.data.Dataset.from_tensor_slices((features, labels)).batch(8)


class Net(tf.keras.Model):
    def __init__(self, units=4):
        super().__init__()
        self.a = tf.keras.layers.Dense(units, activation="tanh", kernel_initializer="ones")
        self.b = tf.keras.layers.Dense(1, kernel_initializer="ones")

    def call(self, x):
        return self.b(self.a(x))


class Learner:
    model = Net()
    opt = tf.keras.optimizers.Adam(0.01)

    @classmethod
    def step(cls, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(cls.model(x) - y))
        g = tape.gradient(loss, cls.model.trainable_variables)
        cls.opt.apply_gradients(zip(g, cls.model.trainable_variables))
        return loss


class Other(Learner):
    model = Net(2)
    opt = tf.keras.optimizers.SGD(0.01)


for epoch in range(3):
    for x, y in data:
        a = Learner.step(x, y)
        b = Other.step(x, y)
print(float(a), float(b))
Learner.model = Net(3)
Learner.opt = tf.keras.optimizers.Adam(0.1)
for x, y in data:
    a = Learner.step(x, y)
print(float(a))
