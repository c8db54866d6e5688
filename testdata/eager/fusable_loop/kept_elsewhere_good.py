# What each step gives goes where nobody knows what is done with it: nothing is fused.
import tensorflow as tf

weight = tf.Variable(tf.ones([4, 1]))
data = tf.data.Dataset.from_tensor_slices((tf.ones([48, 4]), tf.zeros([48, 1])))
data = data.batch(4, drop_remainder=True)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ weight - y))
    weight.assign_sub(0.1 * tape.gradient(loss, weight))
    return loss


class Log:
    def __init__(self):
        self.seen = []

    def note(self, value):
        self.seen.append((float(value), float(weight[0, 0])))

    append = note


log, other = Log(), Log()
for x, y in data:
    log.note(train_step(x, y))
for x, y in data:
    other.append(train_step(x, y))

by_turn = {}
for x, y in data:
    by_turn[len(by_turn)] = train_step(x, y)

shown = []
for x, y in data:
    shown.append((float(train_step(x, y)), float(weight[0, 0])))

fed = [tf.zeros([4, 1])]
for x, y in data:
    fed.append(train_step(x, fed[-1]))

renamed = [tf.zeros([4, 1])]
same = renamed
for x, y in data:
    renamed.append(train_step(x, same[-1]))

print(len(log.seen), len(other.seen), len(by_turn), len(shown), len(fed), len(renamed))
