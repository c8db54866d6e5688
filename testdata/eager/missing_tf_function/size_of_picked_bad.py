# How many a mask picks is a number for eager code alone.
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(4)])
model.set_weights([tf.ones_like(w) * 0.1 for w in model.get_weights()])
optimizer = tf.keras.optimizers.SGD(0.01)


def overlaps(a, b):
    return tf.expand_dims(a[:, 0], 1) * tf.expand_dims(b[:, 0], 0)


def matched(x, labels):
    kept = tf.boolean_mask(x, labels > 0.0)
    best = tf.argmax(overlaps(kept, x), axis=1)
    weights = tf.fill([best.shape[0]], 2.0)
    return tf.reduce_sum(tf.gather(x, best) * tf.expand_dims(weights, 1))


def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x))) + matched(x, y)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


data = tf.data.Dataset.from_tensor_slices((tf.ones([80, 4]), tf.ones([80]))).batch(8)
for x, y in data:
    loss = train_step(x, y)
print(float(loss))
