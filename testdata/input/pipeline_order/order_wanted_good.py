# An order may be kept on purpose: for a split, by name, for one pass, or it is shuffled again later.
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input([1]), tf.keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")


def pairs(count):
    x = tf.cast(tf.range(count), tf.float32)[:, None]
    return tf.data.Dataset.from_tensor_slices((x, 2.0 * x))


mixed = pairs(12).shuffle(12).cache()
train, held = mixed.take(8).batch(4), mixed.skip(8).batch(4)
model.fit(train, epochs=2, validation_data=held, verbose=0)

same = pairs(12).shuffle(12, reshuffle_each_iteration=False).cache().batch(4)
model.fit(same, epochs=2, verbose=0)

again = pairs(12).shuffle(12).cache().shuffle(12).batch(4)
model.fit(again, epochs=2, verbose=0)

once = pairs(12).shuffle(12).cache().batch(4)
model.fit(once, verbose=0)

total = tf.zeros([])
for x, y in pairs(12).shuffle(12).cache().batch(4):
    total += tf.reduce_sum(x * y)
print(float(total))
