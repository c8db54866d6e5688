# The step that a method defines is traced for each of its runs: nothing runs eagerly.
import tensorflow as tf

tf.keras.utils.set_random_seed(6)
x = tf.random.normal([64, 3])
data = tf.data.Dataset.from_tensor_slices((x, tf.reduce_sum(x, 1, keepdims=True))).batch(2)


class Manager:
    def init_model(self):
        self.model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(1)])
        self.optimizer = tf.keras.optimizers.SGD(0.02)

    def train(self):
        @tf.function
        def train_step(features, labels):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(self.model(features, training=True) - labels))
            gradients = tape.gradient(loss, self.model.trainable_variables)
            self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))
            return loss

        for features, labels in data:
            loss = train_step(features, labels)
        print(round(float(loss), 3))


manager = Manager()
manager.init_model()
manager.train()
