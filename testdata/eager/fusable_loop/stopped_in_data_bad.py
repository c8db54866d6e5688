# A value of the step ends the loop over the data in the middle of what one call takes: the call stops there.
import tensorflow as tf

LIMIT = 0.02
rows = tf.reshape(tf.range(160.0) / 160.0, [80, 2])
sums = tf.reduce_sum(rows, 1, keepdims=True)
weights = tf.Variable(tf.zeros([2, 1]))
data = tf.data.Dataset.from_tensor_slices((rows, sums)).batch(2, drop_remainder=True)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ weights - y))
    weights.assign_sub(0.1 * tape.gradient(loss, weights))
    return loss


losses = []
ends = []
for epoch in range(6):
    for step, (x, y) in enumerate(data):
        loss = train_step(x, y)
        losses.append(float(loss))
        if step % 5 == 0:
            print(epoch, step, round(losses[-1], 5))
        if loss > LIMIT:
            ends.append((step, float(tf.reduce_sum(weights))))
            break
    print("epoch", epoch, "ends after", len(losses), "steps")


def until_large(most):
    for x, y in data.take(most):
        loss = train_step(x, y)
        if float(loss) > most / 1000:
            return float(loss)
    return None


found = until_large(30)
