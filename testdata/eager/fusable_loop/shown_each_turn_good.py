# What each turn prints is to be seen when its step is over: nothing is fused.
import tensorflow as tf

weight = tf.Variable(4.0)


@tf.function
def train_step():
    with tf.GradientTape() as tape:
        loss = tf.square(weight - 1.0) + tf.sin(weight)
    weight.assign_sub(0.1 * tape.gradient(loss, weight))
    return loss


for step in range(20):
    loss = train_step()
    print("step", step, "loss %.4f" % float(loss))
