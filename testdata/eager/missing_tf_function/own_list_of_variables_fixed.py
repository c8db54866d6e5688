# A model lists its variables anew each time it is asked: what the step adds to that list, it adds to its own.
import tensorflow as tf

tf.keras.utils.set_random_seed(4)


class Learner:
    def __init__(self):
        self.policy = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(2)])
        self.spread = tf.Variable(tf.zeros([2]))
        self.optimizer = tf.keras.optimizers.SGD(0.05)

    @tf.function
    def learn(self, states, actions):
        with tf.GradientTape() as tape:
            error = (actions - self.policy(states)) / tf.exp(self.spread)
            loss = tf.reduce_mean(tf.square(error)) + tf.reduce_sum(self.spread)
        variables = self.policy.trainable_variables
        variables += [self.spread]
        gradients = tape.gradient(loss, variables)
        self.optimizer.apply_gradients(zip(gradients, variables))
        return loss


learner = Learner()
states = tf.random.stateless_normal([16, 3], seed=[1, 2])
for step in range(30):
    loss = learner.learn(states, states[:, :2] * 2.0)
trained = [float(loss), *(float(tf.norm(v)) for v in learner.policy.trainable_variables)]
held = len(learner.policy.trainable_variables)
