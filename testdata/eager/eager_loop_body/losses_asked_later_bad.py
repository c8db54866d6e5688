"""What `model.losses` gives may be left behind by the last call, which would be one in a trace; here
the penalty is of weights alone, and computed when it is asked for."""

import tensorflow as tf

model = tf.keras.Sequential(
    [
        tf.keras.Input([4]),
        tf.keras.layers.Dense(1, kernel_initializer="ones", kernel_regularizer="l2"),
    ]
)
optimizer = tf.keras.optimizers.SGD(0.01)
x, y = tf.ones([3, 4]), tf.zeros([3, 1])

for _ in range(9):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y)) + tf.add_n(model.losses)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
print([float(penalty) for penalty in model.losses])
