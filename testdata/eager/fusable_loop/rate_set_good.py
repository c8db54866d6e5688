# Python sets what the next step reads, on every turn, and looks at the variables: nothing is fused.
import tensorflow as tf

weight = tf.Variable([3.0, -2.0])
optimizer = tf.keras.optimizers.SGD(0.1)


@tf.function
def train_step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.square(weight * x - 1.0))
    optimizer.apply_gradients([(tape.gradient(loss, weight), weight)])
    return loss


norms = []
x = tf.constant([1.0, 0.5])
for step in range(30):
    optimizer.learning_rate.assign(0.1 / (1 + step))
    loss = train_step(x)

for step in range(30):
    loss = train_step(x)
    norms.append(float(tf.norm(weight)))
