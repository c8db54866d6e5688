# A loop whose body stands on its own line: no block moves, so the model is wrapped and the metric stays.
import tensorflow as tf

data = tf.data.Dataset.from_tensor_slices(tf.random.stateless_normal([100, 4], [1, 2])).batch(4)
metric = tf.keras.metrics.Mean()
model = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="ones")])


def evaluate(rows):
    for row in rows: metric.update_state(model(row))  # fmt: skip


evaluate(data)
evaluate(data)
print(f"{float(metric.result()):.4f}")
