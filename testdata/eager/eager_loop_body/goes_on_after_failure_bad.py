# A step that could not build its model fails for good: where that is caught and the loop goes on, a trace gives None.
import tensorflow as tf

tf.keras.utils.set_random_seed(4)
model = tf.keras.Sequential([tf.keras.layers.Dense(4, "tanh"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.1)
optimizer.build(model.trainable_variables)
batches = [(tf.fill([8, 4], 0.1 * i), tf.fill([8, 1], 0.2 * i)) for i in range(12)]
failed = 0

for epoch in range(3):
    try:
        for x, y in batches:
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(model(x) - y))
            gradients = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    except ValueError:
        failed += 1
print(failed, len(model.trainable_variables))
