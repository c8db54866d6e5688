# A smaller last batch, and batches padded to their longest, are compiled anew.
import tensorflow as tf

w = tf.Variable(tf.zeros([2, 1]))
b = tf.Variable(0.0)


@tf.function(jit_compile=True)
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ w + b - y))
    for variable, gradient in zip([w, b], tape.gradient(loss, [w, b])):
        variable.assign_sub(0.1 * gradient)
    return loss


@tf.function(jit_compile=True)
def longest_sum(words):
    return tf.reduce_max(tf.reduce_sum(words, axis=1))


x = tf.reshape(tf.linspace(0.0, 1.0, 40), [20, 2])
examples = tf.data.Dataset.from_tensor_slices((x, x[:, :1])).batch(8)
losses = []
for epoch in range(2):
    for inputs, targets in examples:
        losses.append(train_step(inputs, targets))

texts = tf.data.Dataset.range(1, 9).map(lambda n: tf.ones([n])).padded_batch(2)
sums = []
for words in texts:
    sums.append(longest_sum(words))
