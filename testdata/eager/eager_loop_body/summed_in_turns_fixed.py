# The sum begins within the turn and its start is Python's: all of it goes into the step.
import tensorflow as tf

tf.random.set_seed(3)
cell = tf.keras.layers.GRUCell(4)
head = tf.keras.layers.Dense(3)
cell.build((None, 3))
head.build((None, 4))
weights = cell.trainable_variables + head.trainable_variables
optimizer = tf.keras.optimizers.Adam(0.01)
series = tf.data.Dataset.from_tensor_slices(tf.random.normal([20, 6, 3], seed=4)).batch(4)

try:
    @tf.function
    def train_step(chunk):
        error = 0.0
        with tf.GradientTape() as tape:
            state = tf.zeros([4, 4])
            for turn in range(5):
                output, state = cell(chunk[:, turn], state)
                error += tf.reduce_mean(tf.square(head(output) - chunk[:, turn + 1]))
            error /= 5
        optimizer.apply_gradients(zip(tape.gradient(error, weights), weights))
        del tape
        return error

    for chunk in series:
        error = train_step(chunk)
        print(round(float(error), 3))
except KeyboardInterrupt:
    print("stopped")
