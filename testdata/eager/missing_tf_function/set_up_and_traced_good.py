# `train` itself makes a traced step for each run, below what it sets: nothing runs eagerly.
import tensorflow as tf

tf.keras.utils.set_random_seed(6)
x = tf.random.normal([64, 3])
data = tf.data.Dataset.from_tensor_slices((x, tf.reduce_sum(x, 1, keepdims=True))).batch(8)


class Trainer:
    def train(self, width, epochs=4):
        self.model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(width), tf.keras.layers.Dense(1)])
        self.optimizer = tf.keras.optimizers.SGD(0.02)
        self.traced_step = tf.function(self.step)
        for epoch in range(epochs):
            for features, labels in data:
                loss = self.traced_step(features, labels)
            print(width, epoch, round(float(loss), 3))

    def step(self, features, labels):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.model(features, training=True) - labels))
        gradients = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))
        return loss


trainer = Trainer()
for width in [2, 4]:
    trainer.train(width)
