# Nobody sees the loss that a caller hands in, but a tape differentiates what it gives of the model's
# result: it is made of operations, and is taken to trace as they do.
import tensorflow as tf

tf.keras.utils.set_random_seed(6)
x = tf.random.normal([64, 3])
data = tf.data.Dataset.from_tensor_slices((x, tf.reduce_sum(x, 1, keepdims=True))).batch(8)


def train(model, loss_function, epochs=3):
    optimizer = tf.keras.optimizers.SGD(0.02)
    for epoch in range(epochs):
        for features, labels in data:
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(loss_function(labels, model(features, training=True)))
            gradients = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        print(epoch, round(float(loss), 3))


network = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(1)])
train(network, getattr(tf.keras.losses, "MeanSquaredError".strip())())
