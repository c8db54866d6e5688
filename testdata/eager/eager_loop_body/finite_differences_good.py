# A check of the gradient at three places: three turns, and then never again.
import tensorflow as tf

w = tf.Variable([0.3, -0.2, 0.5])
x = tf.reshape(tf.linspace(-1.0, 1.0, 12), [4, 3])


@tf.function
def loss_of(weights):
    return tf.reduce_mean(tf.square(tf.sin(tf.linalg.matvec(x, weights)) - 0.1))


with tf.GradientTape() as tape:
    loss = loss_of(w)
gradient = tape.gradient(loss, w)

for place in range(3):
    shift = tf.one_hot(place, 3) * 1e-2
    above, below = loss_of(w + shift), loss_of(w - shift)
    slope = (above - below) / 2e-2
    gap = tf.abs(slope - gradient[place]) / tf.maximum(tf.abs(slope), 1e-3)
    tf.debugging.assert_less(gap, 0.05, message="the gradient is wrong")
    print(place, round(float(slope), 3))
