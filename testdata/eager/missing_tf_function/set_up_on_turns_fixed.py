# What the loop itself sets, by another method, changes between two steps: no traced step made before it
# would see that.
import tensorflow as tf

tf.keras.utils.set_random_seed(6)
x = tf.random.normal([64, 3])
data = tf.data.Dataset.from_tensor_slices((x, tf.reduce_sum(x, 1, keepdims=True))).batch(8)


class Trainer:
    def __init__(self):
        self.model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(1)])
        self.traced_model = tf.function(self.model, reduce_retracing=True)
        self.optimizer = tf.keras.optimizers.SGD(0.02)

    def warm(self, step):
        self.power = "square" if step < 10 else "abs"

    def train(self):
        for step, (features, labels) in enumerate(data.repeat(3)):
            self.warm(step)
            loss = self.train_step(features, labels)
        print(round(float(loss), 3))

    def train_step(self, features, labels):
        with tf.GradientTape() as tape:
            far = self.traced_model(features, training=True) - labels
            loss = tf.reduce_mean(tf.square(far) if self.power == "square" else tf.abs(far))
        gradients = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))
        return loss


Trainer().train()
