"""The models take turns in every epoch: a step made in these loops would be traced in each."""

import tensorflow as tf

tf.keras.utils.set_random_seed(4)
members = [tf.keras.Sequential([tf.keras.layers.Dense(units)]) for units in (1, 2)]
optimizers = [tf.keras.optimizers.Adam(0.01) for _ in members]
dataset = tf.data.Dataset.from_tensor_slices(tf.ones((40, 3))).batch(4)

for epoch in range(4):
    for member, optimizer in zip(members, optimizers):
        for x in dataset:
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(member(x)))
            gradients = tape.gradient(loss, member.trainable_variables)
            optimizer.apply_gradients(zip(gradients, member.trainable_variables))
    print(epoch, round(float(loss), 4))
