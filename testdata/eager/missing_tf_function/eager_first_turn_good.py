# The first turn runs eagerly to make the weights, all others run the same function traced.
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
model = tf.keras.Sequential([tf.keras.layers.Dense(2, "tanh"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.1)
x = tf.random.stateless_normal([16, 2], [0, 1])


def step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - 1.0))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


traced = tf.function(step)
for turn in range(20):
    loss = step(x) if turn == 0 else traced(x)
print(round(float(loss), 4))
