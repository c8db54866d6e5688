# A dict of arrays would become one of tensors, which `tf.convert_to_tensor` gives no other dtype.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(5)


class Trainer:
    def __init__(self):
        self.model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(2)])
        self.history = []

    def update(self, batch):

        def flat(gradients):
            return tf.concat([tf.reshape(g, [1, -1]) for g in gradients], axis=1)

        rows = tf.convert_to_tensor(batch["rows"], dtype=tf.float32)
        wanted = tf.convert_to_tensor(batch["wanted"], dtype=tf.float32)
        with tf.GradientTape() as tape:
            far = tf.square(self.model(rows) - wanted)
            loss = tf.reduce_mean(tf.exp(-far) * far)
        gradients = flat(tape.gradient(loss, self.model.trainable_variables))
        self.history.append(gradients.numpy())
        for variable, part in zip(self.model.trainable_variables, [gradients[:, :6], gradients[:, 6:]]):
            variable.assign_sub(0.1 * tf.reshape(part, variable.shape))


trainer = Trainer()
rng = np.random.default_rng(1)
for turn in range(40):
    trainer.update({"rows": rng.normal(size=(8, 3)), "wanted": rng.normal(size=(8, 2))})
print(np.round(trainer.history[-1], 4))
