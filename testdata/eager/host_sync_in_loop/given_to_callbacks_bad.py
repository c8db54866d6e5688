# A list of callbacks takes tensors, and reads those that a callback asks for.
import tensorflow as tf

tf.keras.utils.set_random_seed(4)
features = tf.random.normal([64, 6])
dataset = tf.data.Dataset.from_tensor_slices((features, features[:, :1])).batch(4)
model = tf.keras.Sequential([tf.keras.Input([6]), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.05)
mean = tf.keras.metrics.Mean()


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


callbacks = tf.keras.callbacks.CallbackList([tf.keras.callbacks.History()], model=model)
for number, (x, y) in enumerate(dataset):
    callbacks.on_train_batch_begin(number)
    mean.update_state(train_step(x, y))
    logs = {"loss": mean.result().numpy()}
    callbacks.on_train_batch_end(number, logs)
result = float(mean.result())
