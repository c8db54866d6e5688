# What `while not done` runs below `if done` is run once, on the last turn, as is what breaks off a loop: a
# function of some operations is not worth a trace there.
import tensorflow as tf

state = tf.Variable(tf.zeros([4]))


@tf.function
def move():
    state.assign(tf.tanh(state + 0.1))


def measured(values):
    centred = values - tf.reduce_mean(values)
    spread = tf.sqrt(tf.reduce_mean(tf.square(centred)) + 1e-6)
    scaled = centred / spread
    return tf.reduce_sum(tf.abs(scaled)) + tf.reduce_max(scaled)


count, done = 0, False
while not done:
    move()
    count += 1
    done = count == 40
    if done:
        last = measured(state)

for turn in range(100):
    move()
    if turn * count > 2000:
        found = measured(state)
        break
