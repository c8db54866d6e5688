# Lists that are emptied every so many turns, but read at other times too, or handed on: no fix.
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
features = tf.random.normal([64, 6])
target = tf.reduce_sum(features[:, :2], axis=1, keepdims=True)
model = tf.keras.Sequential([tf.keras.Input([6]), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.05)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


def rest_is_read(steps):
    recent = []
    for step in range(steps):
        recent.append(float(train_step(features, target)))
        if step % 20 == 0:
            print(sum(recent))
            recent = []
    return sum(recent)


def is_kept_under_a_test(steps):
    recent = []
    for step in range(steps):
        recent.append(float(train_step(features, target)))
        if step % 20 == 0:
            print(sum(recent))
            if step % 40 == 0:
                recent = []


def is_left_before(steps):
    recent = []
    for step in range(steps):
        recent.append(float(train_step(features, target)))
        if step % 20 == 0:
            print(sum(recent))
            if sum(recent) < 0.001:
                continue
            recent = []


def is_known_by_another_name(steps):
    recent = every = []
    for step in range(steps):
        recent.append(float(train_step(features, target)))
        if step % 20 == 0:
            print(sum(recent))
            recent = []
    return sum(every)


rest = rest_is_read(45)
is_kept_under_a_test(45)
is_left_before(45)
first = is_known_by_another_name(45)
