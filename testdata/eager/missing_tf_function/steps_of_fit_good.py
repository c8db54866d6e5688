# `fit` traces `train_step`, and with it the methods in which the two networks learn.
import tensorflow as tf

tf.keras.utils.set_random_seed(2)


class Pair(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.generator = tf.keras.Sequential([tf.keras.Input([2]), tf.keras.layers.Dense(2)])
        self.critic = tf.keras.Sequential([tf.keras.Input([2]), tf.keras.layers.Dense(1)])
        self.critic_optimizer = tf.keras.optimizers.SGD(0.01)

    def learn_critic(self, real, fake):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(self.critic(fake) - self.critic(real))
        weights = self.critic.trainable_variables
        self.critic_optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
        return loss

    def learn_generator(self, noise):
        with tf.GradientTape() as tape:
            loss = -tf.reduce_mean(self.critic(self.generator(noise)))
        weights = self.generator.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
        return loss

    def train_step(self, real):
        noise = tf.random.normal(tf.shape(real))
        critic_loss = self.learn_critic(real, self.generator(noise))
        return {"critic": critic_loss, "generator": self.learn_generator(noise)}


rows = tf.reshape(tf.linspace(-1.0, 1.0, 48), [24, 2])
pair = Pair()
pair.compile(optimizer=tf.keras.optimizers.SGD(0.01), jit_compile=False)
for epoch in range(2):
    history = pair.fit(rows, batch_size=8, verbose=0)
