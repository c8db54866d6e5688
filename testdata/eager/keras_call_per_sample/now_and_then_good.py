# `fit` once an episode, or under a test on the counter, is no call per step.
import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")


def learn(env, episodes):
    for episode in range(100):
        states = []
        done = False
        while not done:
            state, reward, done = env.step(0)
            states.append(state)
        model.fit(np.array(states), np.ones(len(states)), verbose=0)


for step in range(500):
    x = np.full([8, 4], 0.1 * step)
    if step % 100 == 0:
        model.evaluate(x, np.ones([8, 1]))
    if step % 50 == 0:
        model.fit(x, np.ones([8, 1]), verbose=0)
