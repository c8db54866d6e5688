# The range beside the batches ends with the last whole one.
import tensorflow as tf

BATCH, ROWS = 4, 18
features = tf.random.stateless_normal([ROWS, 3], seed=[1, 1])
data = tf.data.Dataset.from_tensor_slices(features).batch(BATCH)
model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.01)


@tf.function
def train_step(batch):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(batch, training=True)))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


for epoch in range(10):
    for step, batch in zip(range(ROWS // BATCH), data):
        train_step(batch)
traces = train_step.experimental_get_tracing_count()
