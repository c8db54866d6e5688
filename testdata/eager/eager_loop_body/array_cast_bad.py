# A float64 array reaches the step as float32, to which eager execution casts it by what it meets.
import numpy as np
import tensorflow as tf

weights = tf.Variable([[0.1, 0.3], [-0.2, 0.2]])
optimizer = tf.keras.optimizers.SGD(0.1)
losses = []

for episode in range(12):
    rewards = [0.1 * ((episode + turn) % 3) for turn in range(5)]
    states = np.array([[turn, 1.0] for turn in range(5)], np.float32)
    returns = np.zeros(5)
    running = 0.0
    for turn in reversed(range(5)):
        running = rewards[turn] + 0.9 * running
        returns[turn] = running

    with tf.GradientTape() as tape:
        chances = tf.nn.softmax(tf.matmul(states, weights))
        loss = -tf.reduce_mean(returns * tf.math.log(chances[:, 0]))
    gradients = tape.gradient(loss, [weights])
    optimizer.apply_gradients(zip(gradients, [weights]))
    losses.append(float(loss))

final = weights.numpy()
