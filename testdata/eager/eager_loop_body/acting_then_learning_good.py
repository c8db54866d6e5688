# The agent acts by a traced policy, and learns once an episode in a traced step.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(4)
rng = np.random.default_rng(4)
net = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(2)])
optimizer = tf.keras.optimizers.SGD(0.01)


class Field:
    def reset(self):
        self.state = np.ones((1, 3), np.float32)
        return self.state

    def step(self, action):
        self.state = np.roll(self.state, action, axis=1) * 0.9
        return self.state, float(self.state[0, 0])


@tf.function
def act(state):
    return tf.random.categorical(net(state), 1)[0, 0]


@tf.function
def learn(states, actions, rewards):
    with tf.GradientTape() as tape:
        chances = tf.nn.log_softmax(net(states, training=True))
        loss = -tf.reduce_mean(rewards * tf.gather(chances, actions, axis=1, batch_dims=1))
    gradients = tape.gradient(loss, net.trainable_variables)
    optimizer.apply_gradients(zip(gradients, net.trainable_variables))


field = Field()
for episode in range(5):
    state, states, actions, rewards = field.reset(), [], [], []
    for _ in range(16):
        action = int(act(state))
        states.append(state[0])
        actions.append(action)
        state, reward = field.step(action)
        rewards.append(reward)
    learn(np.array(states), np.array(actions), np.array(rewards, np.float32))
