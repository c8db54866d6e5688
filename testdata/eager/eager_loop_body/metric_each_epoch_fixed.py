# Metrics made in each epoch are made once and emptied there, so that one trace holds them.
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(2)])
model.layers[0].set_weights([tf.reshape(tf.range(8.0), [4, 2]) / 8.0, tf.zeros([2])])
optimizer = tf.keras.optimizers.SGD(0.1)
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
xs = tf.reshape(tf.range(160.0), [40, 4]) / 160.0
batches = tf.data.Dataset.from_tensor_slices((xs, tf.range(40) % 2)).batch(8)

losses = []
accuracies = []
mean_loss = tf.keras.metrics.Mean()
accuracy = tf.keras.metrics.SparseCategoricalAccuracy(name="accuracy")


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        logits = model(x, training=True)
        loss = loss_fn(y, logits)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    mean_loss.update_state(loss)
    accuracy(y, logits)


for epoch in range(5):
    # what the progress bar shows
    mean_loss.reset_state()
    accuracy.reset_state()
    for x, y in batches:
        train_step(x, y)
    losses.append(float(mean_loss.result()))
    accuracies.append(float(accuracy.result()))
