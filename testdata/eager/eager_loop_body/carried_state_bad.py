# State made before the loop and rebound in its body comes in as an argument and goes out again.
import tensorflow as tf

tf.keras.utils.set_random_seed(7)
cell = tf.keras.layers.GRUCell(4)
readout = tf.keras.layers.Dense(2)
optimizer = tf.keras.optimizers.Adam(0.01)
chunks = tf.data.Dataset.from_tensor_slices(tf.reshape(tf.cos(tf.range(288.0)), (12, 12, 2))).batch(
    3, drop_remainder=True
)

best = 1e9
hidden = tf.zeros((3, 4))
for chunk in chunks:
    with tf.GradientTape() as tape:
        loss = 0.0
        for t in range(11):
            output, _ = cell(chunk[:, t], hidden)
            hidden = output
            loss += tf.reduce_mean(tf.square(readout(output) - chunk[:, t + 1]))
    variables = cell.trainable_variables + readout.trainable_variables
    gradients = tape.gradient(loss, variables)
    optimizer.apply_gradients(zip(gradients, variables))
    if loss < best:
        best = loss.numpy()
        print("better:", round(float(best), 4))
