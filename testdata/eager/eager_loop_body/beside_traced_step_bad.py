# Mechanism: what is computed op by op beside a traced step is a graph that is missing too.
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input([8]), tf.keras.layers.Dense(16)])
rows = tf.reshape(tf.range(16000.0), [2000, 8])
data = tf.data.Dataset.from_tensor_slices((rows, tf.range(2000))).batch(4)


@tf.function
def predict_step(x):
    return model(x, training=False)


best = []
for x, names in data:
    scores = tf.nn.softmax(predict_step(x), axis=-1)
    highest = tf.reduce_max(scores, axis=-1)
    label = tf.argmax(scores, axis=-1)
    labels = tf.cast(label, tf.float64) + tf.cast(names, tf.float64)
    marked = tf.cast(highest, tf.float64) * 2.0 + labels
    best.append(marked)
print(tf.reduce_sum(tf.concat(best, axis=0)).numpy())
