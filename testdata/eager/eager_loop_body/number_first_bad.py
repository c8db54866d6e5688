# Eager code gives a number the dtype of the tensor beside it; a graph makes it an int32 that fits no float.
import tensorflow as tf

w = tf.Variable(tf.fill([4, 1], 0.1))
optimizer = tf.keras.optimizers.SGD(0.1)
data = tf.data.Dataset.from_tensor_slices((tf.ones([96, 4]), tf.ones([96, 1]))).batch(8)

for epoch in range(4):
    for x, y in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.maximum(0, 1.0 - y * tf.matmul(x, w)))
        optimizer.apply_gradients(zip(tape.gradient(loss, [w]), [w]))
