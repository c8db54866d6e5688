# The data set gives batches of one size: it batches some of them once more, and one call takes them.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(8)
EPOCHS = 3
rng = np.random.RandomState(1)
x = rng.randn(200, 6).astype("float32")
y = (x @ rng.randn(6, 1)).astype("float32")
data = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(200, seed=4)
data = data.batch(10, drop_remainder=True)
model = tf.keras.Sequential([tf.keras.layers.Dense(12, activation="tanh"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam(0.01)


@tf.function
def train_step(inputs, targets, weight):
    with tf.GradientTape() as tape:
        error = model(inputs, training=True) - targets
        loss = tf.reduce_mean(tf.square(error)) * weight
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


last = []
curve = []


@tf.function
def train_steps(all_inputs, all_targets):
    loss_spec = train_step.get_concrete_function(
        all_inputs[0], all_targets[0], 1.0
    ).structured_outputs
    last_loss = tf.TensorArray(loss_spec.dtype, 1, element_shape=loss_spec.shape)
    for turn in tf.range(len(all_inputs)):
        loss = train_step(all_inputs[turn], all_targets[turn], 1.0)
        last_loss = last_loss.write(0, loss)
    return last_loss.read(0)


chunks = data.batch(16)
for epoch in range(EPOCHS):
    for all_inputs, all_targets in chunks:
        loss = train_steps(all_inputs, all_targets)
    last.append(float(loss))

weight = tf.constant(0.5)


@tf.function
def train_steps_2(all_inputs_2, all_targets_2, weight):
    loss_spec = train_step.get_concrete_function(
        all_inputs_2[0], all_targets_2[0], weight
    ).structured_outputs
    all_loss = tf.TensorArray(loss_spec.dtype, len(all_inputs_2), element_shape=loss_spec.shape)
    for turn in tf.range(len(all_inputs_2)):
        loss = train_step(all_inputs_2[turn], all_targets_2[turn], weight)
        all_loss = all_loss.write(turn, loss)
    return all_loss.stack()


for block, (all_inputs_2, all_targets_2) in enumerate(data.batch(10)):
    for step, loss in enumerate(
        tf.unstack(train_steps_2(all_inputs_2, all_targets_2, weight)), 10 * block
    ):
        curve.append((step, float(loss)))
        if (step + 1) % 10 == 0:
            print("step", step + 1, "loss %.4f" % curve[-1][1])
