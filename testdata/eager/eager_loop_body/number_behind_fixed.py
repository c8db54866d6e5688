# A number behind the tensor is cast in a graph, too, and so is one that an operator takes on either side.
import tensorflow as tf

w = tf.Variable(tf.fill([4, 1], 0.1))
optimizer = tf.keras.optimizers.SGD(0.1)
data = tf.data.Dataset.from_tensor_slices((tf.ones([96, 4]), tf.ones([96, 1]))).batch(8)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.maximum(1 - y * tf.matmul(x, w), 0))
    optimizer.apply_gradients(zip(tape.gradient(loss, [w]), [w]))


for epoch in range(4):
    for x, y in data:
        train_step(x, y)
