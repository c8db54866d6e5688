"""A model that is asked once an episode, beside a loop of steps of which nothing is known, or that trains."""

import gym
import matplotlib.pyplot as plt
import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
env = gym.make("CartPole-v1")
for episode in range(300):
    state = env.reset()
    value = model(state[None])
    for step in range(500):
        state, reward, done, info = env.step(env.action_space.sample())
        if tf.reduce_sum(state) > 4.0 or done:
            break
    print(episode, value)

x = np.ones([100, 4], "float32")
data = tf.data.Dataset.from_tensor_slices((x, x[:, :1])).batch(10)
for round_ in range(30):
    model.fit(data, verbose=0)
    outputs = model(x)
    for row in range(100):
        plt.plot(row, tf.reduce_mean(outputs[row]), ".")
