"""The clipped update of PPO on a recorded batch, with a value function and an entropy bonus."""
import numpy as np
import tensorflow as tf

ROUNDS = 3
MINIBATCH = 32
CLIP = 0.2


class ActorCritic(tf.keras.Model):
    def __init__(self, n_actions):
        super().__init__()
        self.body1 = tf.keras.layers.Dense(64, activation="tanh")
        self.body2 = tf.keras.layers.Dense(64, activation="tanh")
        self.pi = tf.keras.layers.Dense(n_actions)
        self.v = tf.keras.layers.Dense(1)

    def call(self, obs):
        h = self.body2(self.body1(obs))
        return self.pi(h), tf.squeeze(self.v(h), axis=-1)


class PPO:
    def __init__(self, n_actions=4):
        self.net = ActorCritic(n_actions)
        self.n_actions = n_actions
        self.optimizer = tf.keras.optimizers.Adam(3e-4)

    @tf.function
    def update(self, obs, actions, old_logp, advantages, returns):
        with tf.GradientTape() as tape:
            logits, values = self.net(obs)
            logp_all = tf.nn.log_softmax(logits)
            logp = tf.reduce_sum(logp_all * tf.one_hot(actions, self.n_actions), axis=1)
            ratio = tf.exp(logp - old_logp)
            clipped = tf.clip_by_value(ratio, 1 - CLIP, 1 + CLIP)
            policy_loss = -tf.reduce_mean(tf.minimum(ratio * advantages, clipped * advantages))
            value_loss = tf.reduce_mean(tf.square(returns - values))
            entropy = -tf.reduce_mean(tf.reduce_sum(tf.exp(logp_all) * logp_all, axis=1))
            loss = policy_loss + 0.5 * value_loss - 0.01 * entropy
        grads = tape.gradient(loss, self.net.trainable_variables)
        grads, _ = tf.clip_by_global_norm(grads, 0.5)
        self.optimizer.apply_gradients(zip(grads, self.net.trainable_variables))
        return loss


rng = np.random.default_rng(5)
size = 256
obs = tf.constant(rng.normal(size=(size, 8)), tf.float32)
actions = tf.constant(rng.integers(4, size=size), tf.int32)
old_logp = tf.fill([size], -1.386)
advantages = tf.constant(rng.normal(size=size), tf.float32)
returns = tf.constant(rng.normal(size=size), tf.float32)

agent = PPO()
for round_ in range(ROUNDS):
    order = rng.permutation(size)
    for start in range(0, size, MINIBATCH):
        rows = order[start:start + MINIBATCH]
        agent.update(
            tf.gather(obs, rows),
            tf.gather(actions, rows),
            tf.gather(old_logp, rows),
            tf.gather(advantages, rows),
            tf.gather(returns, rows),
        )
