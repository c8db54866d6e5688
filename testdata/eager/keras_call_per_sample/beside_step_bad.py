# A `fit` beside a training step on the same rows, of which nobody knows how many they are, is that of one step too: whole data are not drawn anew for each.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(3)


class Learner:
    def __init__(self, batch_size):
        self.actor = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(2)])
        self.critic = tf.keras.Sequential([tf.keras.Input([6]), tf.keras.layers.Dense(1)])
        self.critic.compile("sgd", "mse")
        self.optimizer = tf.keras.optimizers.SGD(0.01)
        self.memory = [np.random.rand(4) for _ in range(100)]
        self.batch_size = batch_size

    def sample(self):
        return [self.memory[i] for i in np.random.randint(0, 100, self.batch_size)]

    def replay(self):
        states = np.vstack(self.sample()).astype(np.float32)
        actions = self.actor(states).numpy()
        pairs = np.concatenate([states, actions], axis=1)
        self.critic.fit(pairs, states.sum(axis=1), epochs=1, batch_size=self.batch_size, verbose=0)
        with tf.GradientTape() as tape:
            actions = self.actor(states)
            loss = -tf.reduce_mean(self.critic(tf.concat([states, actions], axis=1)))
        grads = tape.gradient(loss, self.actor.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.actor.trainable_variables))


learner = Learner(16)
for step in range(25):
    learner.replay()
print(learner.critic.get_weights()[0].round(3).tolist())
