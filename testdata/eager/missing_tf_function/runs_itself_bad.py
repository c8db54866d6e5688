# A method that runs the model by its own `call` does a step's work, though NumPy and printing keep it from being traced; so does what calls such a helper, of which a tape in another method makes no step.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(5)


class Policy(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.hidden = tf.keras.layers.Dense(8, "tanh")
        self.mean = tf.keras.layers.Dense(2)

    def call(self, states):
        return self.mean(self.hidden(states))

    def draw(self, states):
        mean = self.call(states)
        noise = np.random.normal(size=mean.shape).astype(np.float32)
        actions = tf.tanh(mean + 0.1 * noise)
        weight = tf.math.log(1.0 - tf.square(actions) + 1e-6)
        return actions, tf.reduce_sum(weight, axis=1)

    def predict_one(self, text):
        numbers = tf.cast(tf.strings.unicode_decode(text, "UTF-8"), tf.float32)
        states = tf.expand_dims(numbers[:4], 0)
        out = self.call(states)
        print("shape", np.array(out).shape)
        return tf.squeeze(out)


class Agent:
    def __init__(self):
        self.policy = Policy()
        self.optimizer = tf.keras.optimizers.SGD(0.01)

    def choose(self, state):
        states = tf.convert_to_tensor([state])
        actions, _ = self.policy.draw(states)
        return actions[0]

    def learn(self, states):
        with tf.GradientTape() as tape:
            actions, weights = self.policy.draw(states)
            loss = tf.reduce_mean(tf.square(actions)) + 0.01 * tf.reduce_mean(weights)
        grads = tape.gradient(loss, self.policy.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.policy.trainable_variables))


agent = Agent()
state = np.ones(4, np.float32)
for step in range(60):
    action = agent.choose(state)
    state = np.roll(state, 1) + float(action[0])
    agent.learn(np.tile(state, [8, 1]))

text = "some text"
rows = []
for _ in range(20):
    rows.append(agent.policy.predict_one(text))
