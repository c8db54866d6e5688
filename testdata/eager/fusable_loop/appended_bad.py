# What each step gives is put into a list, or added up, by the statement that calls it.
import tensorflow as tf

weight = tf.Variable(tf.ones([4, 1]))
data = tf.data.Dataset.from_tensor_slices((tf.ones([48, 4]), tf.zeros([48, 1])))
equal = data.batch(4, drop_remainder=True)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ weight - y))
    weight.assign_sub(0.01 * tape.gradient(loss, weight))
    return loss


kept = []
for x, y in equal:
    kept.append(train_step(x, y))

total = 0.0
for x, y in data.batch(5):
    total += float(train_step(x, y))

x, y = tf.ones([4, 4]), tf.zeros([4, 1])
values = []
for _ in range(10):
    values.append(train_step(x, y).numpy())

for x, y in equal:
    last = float(train_step(x, y))

print(len(kept), [round(float(loss), 5) for loss in kept])
print(round(total, 5), [round(float(value), 5) for value in values], round(last, 5))
