# A setting that a helper sets on the optimizer that the loop passes it: a trace would keep the first.
import tensorflow as tf

weight = tf.Variable(tf.ones([4, 1]))
batches = tf.data.Dataset.from_tensor_slices((tf.ones([48, 4]), tf.zeros([48, 1]))).batch(4)
optimizer = tf.keras.optimizers.SGD(0.01, momentum=0.9)


def calm(trained_by):
    trained_by.momentum = 0.0


for number, (x, y) in enumerate(batches):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ weight - y))
    optimizer.apply_gradients([(tape.gradient(loss, weight), weight)])
    if number == 5:
        calm(optimizer)
print(weight.numpy().ravel())
