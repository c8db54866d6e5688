"""A small network for pictures from plain operations and variables."""
import tensorflow as tf

UPDATES = 8


class Net(tf.Module):
    def __init__(self):
        super().__init__()
        self.k1 = tf.Variable(0.1 * tf.random.normal([3, 3, 1, 6]))
        self.k2 = tf.Variable(0.1 * tf.random.normal([3, 3, 6, 8]))
        self.w = tf.Variable(0.1 * tf.random.normal([8, 4]))
        self.b = tf.Variable(tf.zeros([4]))

    def __call__(self, x):
        x = tf.nn.relu(tf.nn.conv2d(x, self.k1, 1, "SAME"))
        x = tf.nn.max_pool2d(x, 2, 2, "SAME")
        x = tf.nn.relu(tf.nn.conv2d(x, self.k2, 1, "SAME"))
        return tf.reduce_mean(x, axis=[1, 2]) @ self.w + self.b


net = Net()
pictures = tf.random.uniform([8, 10, 10, 1])
classes = tf.random.uniform([8], maxval=4, dtype=tf.int64)


@tf.function
def update(pictures, classes):
    with tf.GradientTape() as tape:
        logits = net(pictures)
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=classes, logits=logits)
        loss = tf.reduce_mean(losses)
    for variable, slope in zip(net.trainable_variables,
                               tape.gradient(loss, net.trainable_variables)):
        variable.assign_sub(0.1 * slope)
    return loss


for _ in range(UPDATES):
    loss = update(pictures, classes)
print(loss.numpy())
