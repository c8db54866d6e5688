# One turn for each checkpoint that is kept: reading the file takes longer than all operations.
import tempfile

import tensorflow as tf

tf.keras.utils.set_random_seed(5)
model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(1)])
x = tf.random.stateless_normal([16, 3], [5, 5])
y = tf.reduce_sum(x, axis=1, keepdims=True)
checkpoint = tf.train.Checkpoint(model=model)


def errors_of(paths):
    found = []
    for path in paths:
        checkpoint.restore(path).expect_partial()
        residual = model(x, training=False) - y
        mean, worst = tf.reduce_mean(tf.square(residual)), tf.reduce_max(tf.abs(residual))
        found.append((float(mean), float(worst)))
    return found


with tempfile.TemporaryDirectory() as folder:
    manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=2)
    model.compile("sgd", "mse", jit_compile=False)
    for _ in range(4):
        model.fit(x, y, epochs=1, verbose=0)
        manager.save()
    errors = errors_of(manager.checkpoints)
del folder, manager
print(len(errors))
