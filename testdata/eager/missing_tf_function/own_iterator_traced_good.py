# A step that is traced takes the arrays which an object of the code's own brings, and what its `__getitem__` computes is data, made once for each turn.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.05)


class Rows(tf.keras.utils.Sequence):
    def __init__(self):
        super().__init__()
        self.features = np.linspace(0, 1, 96, dtype=np.float32).reshape(24, 4)

    def __len__(self):
        return 4

    def __getitem__(self, index):
        rows = self.features[index * 6 : index * 6 + 6]
        return rows, rows.sum(axis=1, keepdims=True)


@tf.function
def train_step(features, target):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(features, training=True) - target))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


rows = Rows()
losses = []
for turn in range(3):
    for features, target in (rows[i] for i in range(len(rows))):
        losses.append(train_step(tf.constant(features), tf.constant(target)))
    for number, (features, target) in enumerate(rows):
        if number >= len(rows):
            break
        losses.append(train_step(tf.constant(features), tf.constant(target)))
print([round(float(loss), 4) for loss in losses])
