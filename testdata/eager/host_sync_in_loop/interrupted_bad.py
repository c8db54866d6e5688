# An interrupt leaves the loop with the list half read: a read behind it would be skipped.
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
features = tf.random.normal([64, 6])
target = tf.reduce_sum(features[:, :2], axis=1, keepdims=True)
dataset = tf.data.Dataset.from_tensor_slices((features, target)).batch(8)
model = tf.keras.Sequential([tf.keras.Input([6]), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.05)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss



losses = []
try:
    for step in range(50):
        losses.append(float(train_step(features, target)))
except KeyboardInterrupt:
    print("stopped after", len(losses), "steps")
print("last loss", losses[-1])
