# Mechanism: a turn that is left where the batch is smaller brings no smaller batch to the step.
import tensorflow as tf

SIZE = 32
model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.1)
data = tf.data.Dataset.from_tensor_slices(tf.ones([1000, 4])).batch(SIZE)


@tf.function
def train_step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x)))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


for epoch in range(10):
    for x in data:
        if x.shape[0] != SIZE:
            continue
        train_step(x)
    for x in data:
        if len(x) == SIZE:
            train_step(x)
