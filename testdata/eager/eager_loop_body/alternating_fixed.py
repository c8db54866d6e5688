# Two loops in one body: each step is made before the outer loop and named after what it updates.
import tensorflow as tf

ratings = tf.reshape(tf.linspace(0.0, 3.0, 24), [6, 4])
users = tf.Variable(tf.reshape(tf.linspace(0.1, 0.9, 12), [6, 2]))
items = tf.Variable(tf.reshape(tf.linspace(0.9, 0.1, 8), [2, 4]))
errors = []


@tf.function
def update_users():
    with tf.GradientTape() as tape:
        error = tf.reduce_mean(tf.square(ratings - tf.matmul(users, items)))
    users.assign_sub(0.1 * tape.gradient(error, users))
    return error


@tf.function
def update_items():
    with tf.GradientTape() as tape:
        error = tf.reduce_mean(tf.square(ratings - tf.matmul(users, items)))
    items.assign_sub(0.1 * tape.gradient(error, items))
    return error


for turn in range(3):
    # First the users ...
    for _ in range(10):
        error = update_users()
    # ... then the items.
    for _ in range(10):
        error = update_items()
    errors.append(float(error))

final = (users.numpy(), items.numpy())
