# Two steps of a method, one in an inner loop, become methods named after what each trains.
import tensorflow as tf

CRITIC_TURNS = 3

rows = tf.linspace(-1.0, 1.0, 48)
data = tf.data.Dataset.from_tensor_slices(tf.reshape(rows, [24, 2])).batch(8, drop_remainder=True)


class Layer(tf.Module):
    def __init__(self, start):
        self.weights = tf.Variable(start)

    def __call__(self, inputs):
        return tf.matmul(inputs, self.weights)


class Pair:
    def __init__(self):
        self.generator = Layer([[0.4, 0.1], [0.2, -0.3]])
        self.critic = Layer([[0.5], [-0.1]])
        self.generator_optimizer = tf.keras.optimizers.SGD(0.01)
        self.critic_optimizer = tf.keras.optimizers.SGD(0.01)

    @tf.function
    def critic_step(self, real):
        with tf.GradientTape() as tape:
            fake = self.generator(tf.ones_like(real))
            critic_loss = tf.reduce_mean(self.critic(fake) - self.critic(real))
        gradients = tape.gradient(critic_loss, self.critic.trainable_variables)
        self.critic_optimizer.apply_gradients(
            zip(gradients, self.critic.trainable_variables)
        )
        return critic_loss

    @tf.function
    def generator_step(self, real):
        with tf.GradientTape() as tape:
            fake = self.generator(tf.ones_like(real))
            generator_loss = -tf.reduce_mean(self.critic(fake))
        gradients = tape.gradient(generator_loss, self.generator.trainable_variables)
        self.generator_optimizer.apply_gradients(
            zip(gradients, self.generator.trainable_variables)
        )
        return generator_loss

    def fit(self, epochs):
        history = []
        for epoch in range(epochs):
            for real in data:
                for _ in range(CRITIC_TURNS):
                    critic_loss = self.critic_step(real)

                generator_loss = self.generator_step(real)
            print(f"epoch {epoch}: {critic_loss:.4f} {generator_loss:.4f}")
            history.append((float(critic_loss), float(generator_loss)))
        return history


pair = Pair()
history = pair.fit(4)
generator_weights = pair.generator.weights.numpy()
critic_weights = pair.critic.weights.numpy()
