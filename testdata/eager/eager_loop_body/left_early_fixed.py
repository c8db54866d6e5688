"""What a step gives is read where the loop is left early: by break, continue, an exception."""

import contextlib

import tensorflow as tf

tf.keras.utils.set_random_seed(2)
x = tf.random.normal([64, 4])
y = tf.reduce_sum(x, axis=1, keepdims=True)
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(16)
model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.05)


def until_second(last):
    @tf.function
    def train_step(features, labels):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(features, training=True) - labels) ** 2)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        return loss

    for epoch in range(3):
        for turn, (features, labels) in enumerate(data):
            loss = train_step(features, labels)
            if epoch > 0 and turn == last:
                break
        else:
            loss = -1.0
        losses.append(float(loss))


def but_for_third():
    loss = 0.0

    @tf.function
    def train_step(features, labels):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(features, training=True) - labels) ** 2)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        return loss

    for turn, (features, labels) in enumerate(data):
        loss = train_step(features, labels)
        if turn == 3:
            continue
        loss = -1.0
    losses.append(float(loss))


def check(turn):
    if turn == 2:
        raise ValueError(turn)


def until_error():
    loss = None
    try:
        @tf.function
        def train_step(features, labels):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((model(features, training=True) - labels) ** 2)
            gradients = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, model.trainable_variables))
            return loss

        for turn, (features, labels) in enumerate(data):
            loss = train_step(features, labels)
            check(turn)
        loss = tf.constant(-1.0)
    except ValueError:
        losses.append(float(loss))


def through_error():
    loss = None
    with contextlib.suppress(ValueError):
        @tf.function
        def train_step(features, labels):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((model(features, training=True) - labels) ** 2)
            gradients = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, model.trainable_variables))
            return loss

        for turn, (features, labels) in enumerate(data):
            loss = train_step(features, labels)
            check(turn)
        loss = tf.constant(-1.0)
    losses.append(float(loss))


losses = []
until_second(1)
but_for_third()
until_error()
through_error()
