# Numbers of Python in arithmetic become tensors; a bool that chooses a branch stays one.
import tensorflow as tf

codes = tf.Variable(tf.ones([4, 2]))
optimizer = tf.keras.optimizers.SGD(0.05)


@tf.function
def update(x, weight, centred):
    with tf.GradientTape() as tape:
        error = tf.reduce_mean(tf.square(x - codes))
        if centred:
            error += tf.square(tf.reduce_mean(codes))
        loss = error + weight * tf.reduce_mean(tf.abs(codes))
    gradient = tape.gradient(loss, codes)
    optimizer.apply_gradients([(gradient, codes)])
    return loss


@tf.function
def distance(x, scale):
    return tf.reduce_mean(tf.abs(x - codes)) * scale + tf.reduce_max(x)


x = tf.reshape(tf.range(8, dtype=tf.float32), [4, 2])
total = 0.0
for step in range(60):
    loss = update(x, tf.constant(min(1.0, step / 20), tf.float32), step > 30)
    total += distance(x, tf.constant(0.5**step, tf.float32))
print(float(loss), float(total))
