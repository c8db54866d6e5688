# Arguments of other libraries, or of none: no fix, but the nearest real name.
import tensorflow as tf
from tensorflow.keras import layers

model = tf.keras.Sequential([layers.Input((4,)), layers.Dense(8, input_dims=4), layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam(1e-3)
data = tf.data.Dataset.from_tensor_slices((tf.ones([8, 4]), tf.ones([8, 1])))
data = data.map(lambda x, y: (x, y), num_workers=4).batch(2, drop_last=True)


@tf.function(jit=True)
def train_step(x, y):
    with tf.GradientTape(record=True) as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    gradients = tape.gradient(loss, model.trainable_variables, retain_graph=True)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables), asynchronous=True)
    return loss


for x, y in data:
    train_step(x, y)
