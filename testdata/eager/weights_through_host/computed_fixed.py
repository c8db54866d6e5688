# Weights that are mixed of variables one by one, for `set_weights`, are tensors that go the long way: TensorFlow makes them op by op.
import tensorflow as tf

tf.keras.utils.set_random_seed(9)


def network():
    return tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(2)])


class Agent:
    def __init__(self, tau):
        self.online, self.target = network(), network()
        self.online.compile("sgd", "mse")
        self.tau = tau

    def follow(self, tau=None):
        if tau is None:
            tau = self.tau
        for weight, target_weight in zip(self.online.weights, self.target.weights):
            target_weight.assign(weight * tau + target_weight * (1 - tau))


def set_flat(model, flat):
    start = 0
    for layer in model.layers:
        kernel = tf.reshape(flat[start : start + 8], [4, 2])
        layer.set_weights([kernel, flat[start + 8 : start + 10]])
        start += 10


agent = Agent(0.1)
agent.follow(1.0)
for step in range(30):
    xs = tf.random.uniform([8, 4])
    agent.online.train_on_batch(xs, xs[:, :2])
    agent.follow()

flat, last = tf.zeros([10]), network()
for step in range(30):
    flat += 0.1
    set_flat(last, flat)
print([w.round(3).tolist() for model in (agent.target, last) for w in model.get_weights()])
