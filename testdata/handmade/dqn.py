# Deep Q-learning on a small grid: fetch the key, then reach the door.
# Replay buffer, target network, epsilon-greedy.
import collections
import random

import numpy as np
import tensorflow as tf
from tensorflow import keras

random.seed(1)
np.random.seed(1)
tf.random.set_seed(1)

EPISODES = 8
MAX_STEPS = 20
BATCH_SIZE = 16
GAMMA = 0.95
TARGET_UPDATE = 50

Transition = collections.namedtuple("Transition", "state action reward next_state done")


class KeyDoor:
    moves = [(0, 1), (0, -1), (1, 0), (-1, 0)]

    def __init__(self, size=4):
        self.size = size

    def reset(self):
        self.position = [0, 0]
        self.has_key = False
        self.steps = 0
        return self.observe()

    def observe(self):
        row, column = self.position
        return np.array([row / self.size, column / self.size, float(self.has_key)], np.float32)

    def step(self, action):
        for axis, change in enumerate(self.moves[action]):
            self.position[axis] = min(max(self.position[axis] + change, 0), self.size - 1)
        self.steps += 1
        reward = -0.05
        if not self.has_key and self.position == [0, self.size - 1]:
            self.has_key = True
            reward = 0.5
        done = self.has_key and self.position == [self.size - 1, self.size - 1]
        if done:
            reward = 1.0
        return self.observe(), reward, done or self.steps >= MAX_STEPS


class ReplayBuffer:
    def __init__(self, capacity):
        self.buffer = collections.deque(maxlen=capacity)

    def push(self, *args):
        self.buffer.append(Transition(*args))

    def sample(self, n):
        batch = Transition(*zip(*random.sample(self.buffer, n)))
        return (
            np.array(batch.state),
            np.array(batch.action, dtype=np.int32),
            np.array(batch.reward, dtype=np.float32),
            np.array(batch.next_state),
            np.array(batch.done, dtype=np.float32),
        )

    def __len__(self):
        return len(self.buffer)


def build_network():
    return keras.Sequential(
        [
            keras.Input((3,)),
            keras.layers.Dense(32, activation="relu"),
            keras.layers.Dense(32, activation="relu"),
            keras.layers.Dense(4),
        ]
    )


class DQNAgent:
    def __init__(self, learning_rate=0.003):
        self.q_network = build_network()
        self.target_network = build_network()
        self.optimizer = keras.optimizers.Adam(learning_rate)
        self.loss_fn = keras.losses.Huber()
        self.memory = ReplayBuffer(2000)
        self.epsilon = 1.0
        self.updates = 0
        self.sync_target()

    def sync_target(self):
        self.target_network.set_weights(self.q_network.get_weights())

    @tf.function(input_signature=[tf.TensorSpec([3], tf.float32)])
    def best_action(self, state):
        return tf.argmax(self.q_network(state[tf.newaxis])[0])

    @tf.function(
        input_signature=[
            tf.TensorSpec([BATCH_SIZE, 3], tf.float32),
            tf.TensorSpec([BATCH_SIZE], tf.int32),
            tf.TensorSpec([BATCH_SIZE], tf.float32),
            tf.TensorSpec([BATCH_SIZE, 3], tf.float32),
            tf.TensorSpec([BATCH_SIZE], tf.float32),
        ]
    )
    def train_step(self, states, actions, rewards, next_states, dones):
        next_q = self.target_network(next_states)
        targets = rewards + GAMMA * tf.reduce_max(next_q, axis=1) * (1.0 - dones)
        with tf.GradientTape() as tape:
            q_values = self.q_network(states, training=True)
            chosen = tf.reduce_sum(q_values * tf.one_hot(actions, 4), axis=1)
            loss = self.loss_fn(targets, chosen)
        gradients = tape.gradient(loss, self.q_network.trainable_variables)
        gradients = [tf.clip_by_value(g, -1.0, 1.0) for g in gradients]
        self.optimizer.apply_gradients(zip(gradients, self.q_network.trainable_variables))
        return loss

    def act(self, state):
        if random.random() < self.epsilon:
            return random.randrange(4)
        return int(self.best_action(state))

    def learn(self):
        if len(self.memory) < BATCH_SIZE:
            return None
        loss = self.train_step(*self.memory.sample(BATCH_SIZE))

        self.updates += 1
        if self.updates % TARGET_UPDATE == 0:
            self.sync_target()
        return float(loss)


env = KeyDoor()
agent = DQNAgent()
scores, losses = [], []

for episode in range(EPISODES):
    state = env.reset()
    score, done = 0.0, False
    while not done:
        action = agent.act(state)
        next_state, reward, done = env.step(action)
        agent.memory.push(state, action, reward, next_state, done)
        loss = agent.learn()
        if loss is not None:
            losses.append(loss)
        state = next_state
        score += reward
    agent.epsilon = max(0.1, agent.epsilon * 0.9)
    scores.append(score)
    print(f"episode {episode}: score {score:.2f}, epsilon {agent.epsilon:.2f}")

print("mean loss of the last updates: %.5f" % np.mean(losses[-20:]))
