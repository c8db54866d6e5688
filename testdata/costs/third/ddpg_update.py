"""Updates of an actor and a critic from a buffer of transitions, with targets that follow slowly."""
import numpy as np
import tensorflow as tf

UPDATES = 12
TAU, GAMMA = 0.005, 0.98


class Buffer:
    def __init__(self, size, rng):
        self.rng = rng
        self.states = rng.normal(size=(size, 8)).astype(np.float32)
        self.actions = rng.uniform(-1, 1, size=(size, 2)).astype(np.float32)
        self.rewards = rng.normal(size=(size, 1)).astype(np.float32)
        self.nexts = rng.normal(size=(size, 8)).astype(np.float32)

    def sample(self, count):
        chosen = self.rng.integers(len(self.states), size=count)
        arrays = self.states, self.actions, self.rewards, self.nexts
        return [tf.convert_to_tensor(array[chosen]) for array in arrays]


def network(inputs, outputs, last):
    return tf.keras.Sequential([
        tf.keras.Input((inputs,)),
        tf.keras.layers.Dense(64, activation="relu"),
        tf.keras.layers.Dense(64, activation="relu"),
        tf.keras.layers.Dense(outputs, activation=last),
    ])


class Agent:
    def __init__(self):
        self.actor, self.target_actor = network(8, 2, "tanh"), network(8, 2, "tanh")
        self.critic, self.target_critic = network(10, 1, None), network(10, 1, None)
        self.actor_optimizer = tf.keras.optimizers.Adam(1e-4)
        self.critic_optimizer = tf.keras.optimizers.Adam(1e-3)

    def value(self, critic, states, actions):
        return critic(tf.concat([states, actions], axis=1))

    def update(self, states, actions, rewards, nexts):
        follow = self.target_actor(nexts)
        wanted = rewards + GAMMA * self.value(self.target_critic, nexts, follow)
        with tf.GradientTape() as tape:
            error = wanted - self.value(self.critic, states, actions)
            critic_loss = tf.reduce_mean(tf.square(error))
        weights = self.critic.trainable_variables
        self.critic_optimizer.apply_gradients(zip(tape.gradient(critic_loss, weights), weights))
        with tf.GradientTape() as tape:
            actor_loss = -tf.reduce_mean(self.value(self.critic, states, self.actor(states)))
        weights = self.actor.trainable_variables
        self.actor_optimizer.apply_gradients(zip(tape.gradient(actor_loss, weights), weights))
        self.follow(self.target_actor, self.actor)
        self.follow(self.target_critic, self.critic)
        return critic_loss, actor_loss

    def follow(self, target, source):
        for old, new in zip(target.variables, source.variables):
            old.assign(TAU * new + (1 - TAU) * old)


agent = Agent()
buffer = Buffer(2000, np.random.default_rng(5))
for update in range(UPDATES):
    critic_loss, actor_loss = agent.update(*buffer.sample(64))
print(float(critic_loss), float(actor_loss))
