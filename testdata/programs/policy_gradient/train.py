# Policy gradients on a walk: the agent acts step by step and learns once an episode.
import numpy as np
import tensorflow as tf
from tensorflow.keras.layers import Dense

np.random.seed(0)
tf.random.set_seed(0)

EPISODES = 12
MAX_STEPS = 40
GAMMA = 0.98


class Corridor:
    """Walk to the goal at +1 without drifting off at -1. A wind blows now and then."""

    def __init__(self, seed=0):
        self.rng = np.random.RandomState(seed)
        self.position = 0.0
        self.velocity = 0.0
        self.t = 0

    def observe(self):
        return np.array([self.position, self.velocity, self.t / MAX_STEPS], dtype=np.float32)

    def reset(self):
        self.position = self.rng.uniform(-0.2, 0.2)
        self.velocity = 0.0
        self.t = 0
        return self.observe()

    def step(self, action):
        push = (-0.03, 0.0, 0.03)[action]
        wind = 0.02 * self.rng.randn()
        self.velocity = 0.9 * self.velocity + push + wind
        self.position += self.velocity
        self.t += 1
        if self.position >= 1.0:
            return self.observe(), 10.0, True
        if self.position <= -1.0:
            return self.observe(), -10.0, True
        return self.observe(), -0.1, self.t >= MAX_STEPS


class Agent:
    def __init__(self, n_actions=3, lr=0.01):
        self.n_actions = n_actions
        self.model = tf.keras.Sequential([
            Dense(32, activation='tanh'),
            Dense(32, activation='tanh'),
            Dense(n_actions, activation='softmax'),
        ])
        self.optimizer = tf.keras.optimizers.Adam(learning_rate=lr)

    def act(self, state):
        probs = self.model(state[None]).numpy()[0]
        return np.random.choice(self.n_actions, p=probs)

    def update(self, states, actions, returns):
        with tf.GradientTape() as tape:
            probs = self.model(states)
            picked = tf.reduce_sum(probs * tf.one_hot(actions, self.n_actions), axis=1)
            entropy = -tf.reduce_sum(probs * tf.math.log(probs + 1e-8), axis=1)
            loss = -tf.reduce_mean(tf.math.log(picked + 1e-8) * returns + 0.01 * entropy)
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))
        return loss


def discount(rewards, gamma=GAMMA):
    out = np.zeros(len(rewards))
    running = 0.0
    for i in reversed(range(len(rewards))):
        running = rewards[i] + gamma * running
        out[i] = running
    return (out - out.mean()) / (out.std() + 1e-6)


env = Corridor(seed=3)
agent = Agent()
scores = []
losses = []

for episode in range(EPISODES):
    states, actions, rewards = [], [], []
    state = env.reset()
    done = False
    while not done:
        action = agent.act(state)
        next_state, reward, done = env.step(action)
        states.append(state)
        actions.append(action)
        rewards.append(reward)
        state = next_state

    returns = tf.constant(discount(rewards), dtype=tf.float32)
    loss = agent.update(tf.constant(np.array(states)), tf.constant(actions), returns)
    losses.append(loss)
    scores.append(sum(rewards))

    if (episode + 1) % 4 == 0:
        print("Episode: {}, score: {:.2f}, loss: {:.4f}".format(
            episode + 1, np.mean(scores[-4:]), float(loss)))
