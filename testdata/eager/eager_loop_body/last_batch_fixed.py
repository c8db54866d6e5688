# A last batch of another size: the step declares the batch dimension as None, for one trace.
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input([2]), tf.keras.layers.Dense(1)])
model.layers[0].set_weights([tf.constant([[0.5], [-0.5]]), tf.zeros([1])])
optimizer = tf.keras.optimizers.Adam(0.02)
xs = tf.reshape(tf.linspace(-1.0, 1.0, 72), [36, 2])
ys = tf.reduce_sum(xs, axis=1, keepdims=True)
batches = tf.data.Dataset.from_tensor_slices((xs, ys)).batch(8)

losses = []


@tf.function(
    input_signature=[
        tf.TensorSpec([None, 2], tf.float32), tf.TensorSpec([None, 1], tf.float32)
    ]
)
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


for epoch in range(4):
    for x, y in batches:
        loss = train_step(x, y)
    losses.append(float(loss))
