# What a model gives may be a list of tensors: an element that `.numpy()` reads may be one of its
# outputs as well as a row, so that the whole need not be a tensor.
import tensorflow as tf

inputs = tf.keras.Input([4])
heads = [tf.keras.layers.Dense(2)(inputs), tf.keras.layers.Dense(3)(inputs)]
two = tf.keras.Model(inputs, heads)
states = tf.random.stateless_normal([3, 4], seed=[1, 2])


@tf.function
def run_both(rows):
    return two(rows)


class Agent:
    def __init__(self, actor):
        self.actor = actor

    def act(self, rows):
        return [output.numpy() for output in self.actor(rows, training=False)]


agent = Agent(two)
arrays = []
for turn in range(200):
    for output in run_both(states):
        arrays.append(output.numpy())
    arrays += [output.numpy() for output in two(states, training=False)]
    arrays += agent.act(states)
    both = two(states)
    arrays += [output.numpy() for output in both]
sums = [tf.reduce_sum(output) for turn in range(200) for output in two(states)]
for turn in range(200):
    sums = [tf.reduce_sum(output) for output in both]
print(len(arrays), len(sums))
