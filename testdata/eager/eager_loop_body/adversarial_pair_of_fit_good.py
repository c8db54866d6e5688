# Two networks take turns inside of the `train_step` that `fit` traces; the critic has its own loop.
import tensorflow as tf

tf.keras.utils.set_random_seed(2)


class Pair(tf.keras.Model):
    def __init__(self, turns):
        super().__init__()
        self.turns = turns
        self.generator = tf.keras.Sequential([tf.keras.Input([2]), tf.keras.layers.Dense(2)])
        self.critic = tf.keras.Sequential([tf.keras.Input([2]), tf.keras.layers.Dense(1)])
        self.critic_optimizer = tf.keras.optimizers.SGD(0.01)

    def train_step(self, real):
        noise = tf.random.normal(tf.shape(real))
        for _ in range(self.turns):
            with tf.GradientTape() as tape:
                fake = self.generator(noise)
                critic_loss = tf.reduce_mean(self.critic(fake) - self.critic(real))
            weights = self.critic.trainable_variables
            self.critic_optimizer.apply_gradients(zip(tape.gradient(critic_loss, weights), weights))
        with tf.GradientTape() as tape:
            loss = -tf.reduce_mean(self.critic(self.generator(noise)))
        weights = self.generator.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
        return {"generator": loss, "critic": critic_loss}


rows = tf.reshape(tf.linspace(-1.0, 1.0, 48), [24, 2])
pair = Pair(turns=4)
pair.compile(optimizer=tf.keras.optimizers.SGD(0.01), jit_compile=False)
history = pair.fit(rows, batch_size=8, epochs=2, verbose=0).history
