# The adding problem: a sequence of random numbers of which two are marked,
# the network has to return the sum of the two. GRU cell unrolled by hand.
import numpy as np
import tensorflow as tf

SEQ_LEN = 15
UNITS = 24
BATCH = 32
EPOCHS = 4
N_TRAIN = 256


def make_batch(rng, n):
    values = rng.uniform(size=(n, SEQ_LEN))
    marks = np.zeros((n, SEQ_LEN))
    for row in range(n):
        first, second = rng.choice(SEQ_LEN, size=2, replace=False)
        marks[row, first] = 1
        marks[row, second] = 1
    x = np.stack([values, marks], axis=-1).astype(np.float32)
    y = (values * marks).sum(axis=1, keepdims=True).astype(np.float32)
    return x, y


data_rng = np.random.RandomState(17)
x_train, y_train = make_batch(data_rng, N_TRAIN)
x_val, y_val = make_batch(data_rng, 64)

cell = tf.keras.layers.GRUCell(UNITS)
readout = tf.keras.layers.Dense(1)
optimizer = tf.keras.optimizers.RMSprop(0.005)


def forward(x):
    h = tf.zeros((x.shape[0], UNITS))
    for t in range(SEQ_LEN):
        h, _ = cell(x[:, t], [h])
    return readout(h)


def train_step(x, y):
    with tf.GradientTape() as tape:
        prediction = forward(x)
        loss = tf.reduce_mean(tf.square(prediction - y))
    weights = cell.trainable_variables + readout.trainable_variables
    grads = tape.gradient(loss, weights)
    grads, _ = tf.clip_by_global_norm(grads, 1.0)
    optimizer.apply_gradients(zip(grads, weights))
    return loss


@tf.function
def evaluate(x, y):
    return tf.reduce_mean(tf.abs(forward(x) - y))


epoch_losses = []
val_errors = []
order_rng = np.random.RandomState(1)

for epoch in range(EPOCHS):
    order = order_rng.permutation(N_TRAIN)
    epoch_loss = 0.0
    for start in range(0, N_TRAIN, BATCH):
        idx = order[start:start + BATCH]
        xb = tf.convert_to_tensor(x_train[idx])
        yb = tf.convert_to_tensor(y_train[idx])
        epoch_loss += train_step(xb, yb)

    epoch_losses.append(float(epoch_loss) / (N_TRAIN // BATCH))
    val_errors.append(float(evaluate(x_val, y_val)))
    print('epoch', epoch, 'loss %.4f' % epoch_losses[-1], 'val error %.4f' % val_errors[-1])
