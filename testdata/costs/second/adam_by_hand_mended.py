"""A network of plain variables, and Adam written out as in the paper."""
import tensorflow as tf

tf.random.set_seed(4)
EPOCHS = 4
LR, B1, B2, EPS = 1e-3, 0.9, 0.999, 1e-8

x_train = tf.random.normal([320, 16])
y_train = tf.sin(tf.reduce_sum(x_train, axis=1, keepdims=True))

sizes = [16, 64, 64, 1]
weights = []
for fan_in, fan_out in zip(sizes[:-1], sizes[1:]):
    weights.append(tf.Variable(tf.random.normal([fan_in, fan_out], stddev=fan_in**-0.5)))
    weights.append(tf.Variable(tf.zeros([fan_out])))
m = [tf.Variable(tf.zeros_like(w)) for w in weights]
v = [tf.Variable(tf.zeros_like(w)) for w in weights]
t = tf.Variable(0.0)


def forward(x):
    x = tf.nn.relu(tf.matmul(x, weights[0]) + weights[1])
    x = tf.nn.relu(tf.matmul(x, weights[2]) + weights[3])
    return tf.matmul(x, weights[4]) + weights[5]


@tf.function
def train(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(forward(x) - y))
    grads = tape.gradient(loss, weights)
    t.assign_add(1.0)
    rate = LR * tf.sqrt(1.0 - B2**t) / (1.0 - B1**t)
    for w, g, first, second in zip(weights, grads, m, v):
        first.assign(B1 * first + (1 - B1) * g)
        second.assign(B2 * second + (1 - B2) * tf.square(g))
        w.assign_sub(rate * first / (tf.sqrt(second) + EPS))
    return loss


for epoch in range(EPOCHS):
    for start in range(0, 320, 32):
        loss = train(x_train[start:start + 32], y_train[start:start + 32])
