# The recurrence is handed to `tf.scan` inside of a traced function: no turn of it is Python's.
import tensorflow as tf

tf.keras.utils.set_random_seed(7)
cell = tf.keras.layers.GRUCell(4)
readout = tf.keras.layers.Dense(2)
optimizer = tf.keras.optimizers.Adam(0.01)
series = tf.reshape(tf.cos(tf.range(48.0)), (12, 2, 2))
cell.build((2, 2))
readout.build((2, 4))
variables = cell.trainable_variables + readout.trainable_variables


def advanced(hidden, inputs):
    output, _ = cell(inputs, hidden)
    return 0.9 * output + 0.1 * tf.tanh(hidden)


@tf.function
def train_step(series):
    with tf.GradientTape() as tape:
        states = tf.scan(advanced, series, initializer=tf.zeros((2, 4)))
        loss = tf.reduce_mean(tf.square(readout(states[:-1]) - series[1:]))
    gradients = tape.gradient(loss, variables)
    optimizer.apply_gradients(zip(gradients, variables))
    return loss


for epoch in range(4):
    loss = train_step(series)
print("last:", round(float(loss), 4))
