"""What changes variables in a way that is not known stays, and so does what follows it."""

import tensorflow as tf

tf.keras.utils.set_random_seed(3)
model = tf.keras.Sequential(
    [tf.keras.Input([3]), tf.keras.layers.Dense(1, kernel_constraint="non_neg")]
)
optimizer = tf.keras.optimizers.SGD(0.1)
inputs = tf.reshape(tf.sin(tf.range(240.0)), [80, 3])
data = tf.data.Dataset.from_tensor_slices((inputs, inputs[:, :1])).batch(16)
mean = tf.keras.metrics.Mean()

means = []
for epoch in range(3):
    for x, y in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        for variable in model.variables:
            if getattr(variable, "constraint", None) is not None:
                variable.assign(variable.constraint(variable))
        mean(loss)
    means.append(float(mean.result()))
