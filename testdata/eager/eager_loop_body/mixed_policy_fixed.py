"""Under the policy the model computes in bfloat16, to which eager execution casts `beta`."""

import tensorflow as tf

tf.keras.config.set_dtype_policy("mixed_bfloat16")
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.01)
x = tf.ones((4, 3))


@tf.function
def update_step(gradients):
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


traced_model = tf.function(model, reduce_retracing=True)
for step in range(50):
    beta = step / 1000
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(traced_model(x))) * beta
    gradients = tape.gradient(loss, model.trainable_variables)
    update_step(gradients)
    print(step, float(loss))
