"""A loss that each turn defines of its batch moves along with the step; one that is kept beyond the turn does not."""

import tensorflow as tf

tf.keras.utils.set_random_seed(3)
model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(4, activation="tanh"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.1)
x = tf.random.stateless_uniform([220, 3], [1, 1])
y = tf.reduce_sum(x, axis=1, keepdims=True)
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(8)

for epoch in range(20):
    for inputs, targets in data:

        def closure():
            return tf.reduce_mean(tf.square(model(inputs) - targets))

        penalty = lambda: 0.01 * tf.add_n([tf.nn.l2_loss(w) for w in model.trainable_variables])
        with tf.GradientTape() as tape:
            loss = closure() + penalty()
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    print(epoch, float(loss))

losses = []
for epoch in range(20):
    for inputs, targets in data:
        kept = lambda: tf.reduce_mean(tf.abs(model(inputs) - targets))
        with tf.GradientTape() as tape:
            loss = kept()
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        losses.append(kept)
print(float(losses[-1]()))
