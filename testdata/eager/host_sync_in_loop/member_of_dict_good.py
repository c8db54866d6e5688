# What is read of the dict that a step gives is Python's own number, or came with the data.
import tensorflow as tf

weight = tf.Variable(1.0)


@tf.function
def update(x):
    weight.assign_sub(0.01 * tf.reduce_mean(x))
    return weight * 2.0


def step(x, turn):
    found = {"weight": update(x), "turn": turn}
    found["rows"] = 8
    return found


turns = []
for turn, x in enumerate(tf.data.Dataset.range(64).batch(8).repeat(4)):
    found = step(tf.cast(x, tf.float32), turn)
    turns.append(int(found["turn"]))
    turns.append(float(found.get("rows", 0)))
