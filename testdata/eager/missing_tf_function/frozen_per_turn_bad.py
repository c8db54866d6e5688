# Each turn freezes a model that it has made itself: that changes no setting of another one.
import tensorflow as tf

tf.keras.utils.set_random_seed(5)
features = tf.random.normal([32, 6])
target = tf.reduce_sum(features[:, :2], axis=1, keepdims=True)


class Head(tf.keras.Model):
    def __init__(self, units):
        super().__init__()
        self.hidden = tf.keras.layers.Dense(units, activation="tanh")
        self.out = tf.keras.layers.Dense(1)

    def call(self, x):
        return self.out(self.hidden(x))


means = []
for units in (2, 3, 4):
    frozen = Head(units)
    frozen.trainable = False
    frozen.hidden.trainable = False
    means.append(tf.reduce_mean(frozen(features)))

net = Head(8)
net(features)
optimizer = tf.keras.optimizers.SGD(0.05)
optimizer.build(net.trainable_variables)


def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(net(x) - y))
    gradients = tape.gradient(loss, net.trainable_variables)
    optimizer.apply_gradients(zip(gradients, net.trainable_variables))
    return loss


for step in range(20):
    loss = train_step(features, target)
