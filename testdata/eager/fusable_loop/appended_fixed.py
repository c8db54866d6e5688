# What each step gives is put into a list, or added up, by the statement that calls it.
import tensorflow as tf
import itertools

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


@tf.function
def train_steps(all_x, all_y):
    result_spec = train_step.get_concrete_function(
        all_x[0], all_y[0]
    ).structured_outputs
    all_result = tf.TensorArray(
        result_spec.dtype, len(all_x), element_shape=result_spec.shape
    )
    for turn in tf.range(len(all_x)):
        result = train_step(all_x[turn], all_y[turn])
        all_result = all_result.write(turn, result)
    return all_result.stack()


for all_x, all_y in equal.batch(16):
    for result in tf.unstack(train_steps(all_x, all_y)):
        kept.append(result)

total = 0.0


@tf.function
def train_steps_2(all_x, all_y):
    result_2_spec = train_step.get_concrete_function(
        all_x[0], all_y[0]
    ).structured_outputs
    all_result_2 = tf.TensorArray(
        result_2_spec.dtype, len(all_x), element_shape=result_2_spec.shape
    )
    for turn in tf.range(len(all_x)):
        result_2 = train_step(all_x[turn], all_y[turn])
        all_result_2 = all_result_2.write(turn, result_2)
    return all_result_2.stack()


turns = iter(data.batch(5))
while chunk := list(itertools.islice(turns, 16)):
    arguments = []
    for x, y in chunk:
        arguments.append((x, y))
    results = []
    for _, alike in itertools.groupby(
        arguments, lambda parts: [part.shape for part in parts]
    ):
        results += tf.unstack(train_steps_2(*map(tf.stack, zip(*alike))))
    for result_2 in results:
        total += float(result_2)

x, y = tf.ones([4, 4]), tf.zeros([4, 1])
values = []


@tf.function
def train_steps_3(count, x, y):
    result_3_spec = train_step.get_concrete_function(x, y).structured_outputs
    all_result_3 = tf.TensorArray(
        result_3_spec.dtype, count, element_shape=result_3_spec.shape
    )
    for turn in tf.range(count):
        result_3 = train_step(x, y)
        all_result_3 = all_result_3.write(turn, result_3)
    return all_result_3.stack()


ready = []
for _ in range(10):
    if not ready:
        ready = tf.unstack(train_steps_3(tf.constant(min(100, 10 - _)), x, y))
    values.append(ready.pop(0).numpy())


@tf.function
def train_steps_4(all_x_2, all_y_2):
    result_4_spec = train_step.get_concrete_function(
        all_x_2[0], all_y_2[0]
    ).structured_outputs
    all_result_4 = tf.TensorArray(
        result_4_spec.dtype, len(all_x_2), element_shape=result_4_spec.shape
    )
    for turn in tf.range(len(all_x_2)):
        result_4 = train_step(all_x_2[turn], all_y_2[turn])
        all_result_4 = all_result_4.write(turn, result_4)
    return all_result_4.stack()


for all_x_2, all_y_2 in equal.batch(16):
    for result_4 in tf.unstack(train_steps_4(all_x_2, all_y_2)):
        last = float(result_4)

print(len(kept), [round(float(loss), 5) for loss in kept])
print(round(total, 5), [round(float(value), 5) for value in values], round(last, 5))
