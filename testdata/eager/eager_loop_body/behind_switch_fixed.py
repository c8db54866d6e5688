# A line of the program says whether it trains: the loop is code like any other, for whoever turns the
# switch.
import tensorflow as tf

tf.keras.utils.set_random_seed(2)
training = False
data = tf.data.Dataset.from_tensor_slices((tf.ones([64, 3]), tf.ones([64, 1]))).batch(4)
model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.1)

if training:
    @tf.function
    def train_step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))

    for x, y in data:
        train_step(x, y)
weights = model.get_weights()
