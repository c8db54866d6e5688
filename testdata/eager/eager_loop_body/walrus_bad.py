"""What an expression within the step names is bound there: nothing has to pass it in."""

import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="ones")])
optimizer = tf.keras.optimizers.SGD(0.01)
batches = iter([tf.ones((4, 3)) * scale for scale in (0.1, 0.2, 0.3)] * 9)

while (x := next(batches, None)) is not None:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(output := model(x)))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    print(float(loss), float(tf.reduce_max(output)))
