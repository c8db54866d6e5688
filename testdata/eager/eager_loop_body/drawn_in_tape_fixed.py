# A call in a tape that takes no tensors may well be Python's own: what it gives is computed on, but not
# differentiated, and a trace would keep the first batch.
import tensorflow as tf

tf.keras.utils.set_random_seed(6)


def train(model, memory):
    optimizer = tf.keras.optimizers.SGD(0.02)

    @tf.function
    def update_step(gradients):
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))

    for step in range(20):
        with tf.GradientTape() as tape:
            features, labels = memory.sample(8)
            loss = tf.reduce_mean(tf.square(model(features, training=True) - labels))
        gradients = tape.gradient(loss, model.trainable_variables)
        update_step(gradients)
        print(step, round(float(loss), 3))


def start(memory):
    network = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(1)])
    train(network, memory)
