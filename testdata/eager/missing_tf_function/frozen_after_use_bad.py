# Each turn trains the model that it has made before it freezes a part: a trace might keep the whole.
import tensorflow as tf

tf.keras.utils.set_random_seed(5)
features = tf.random.normal([32, 6])
target = tf.reduce_sum(features[:, :2], axis=1, keepdims=True)
optimizer = tf.keras.optimizers.SGD(0.05)


class Head(tf.keras.Model):
    def __init__(self, units):
        super().__init__()
        self.hidden = tf.keras.layers.Dense(units, activation="tanh")
        self.out = tf.keras.layers.Dense(1)

    def call(self, x):
        return self.out(self.hidden(x))


def train_step(net, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(net(x) - y))
    variables = net.trainable_variables
    gradients = tape.gradient(loss, variables)
    for variable, gradient in zip(variables, gradients):
        variable.assign_sub(0.05 * gradient)
    return loss


for units in (2, 3, 4):
    net = Head(units)
    for step in range(30):
        loss = train_step(net, features, target)
    net.hidden.trainable = False
    for step in range(30):
        loss = train_step(net, features, target)
