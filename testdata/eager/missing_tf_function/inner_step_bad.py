# A step that a method defines on each of its runs is traced for that run: what is set up before all of
# them is the same to it, whatever sets it.
import tensorflow as tf

tf.keras.utils.set_random_seed(6)
x = tf.random.normal([64, 3])
data = tf.data.Dataset.from_tensor_slices((x, tf.reduce_sum(x, 1, keepdims=True))).batch(2)


class Manager:
    def init_model(self, width):
        self.model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(width), tf.keras.layers.Dense(1)])

    def init_optimizer(self):
        self.optimizer = tf.keras.optimizers.SGD(0.02)

    def train_epoch(self):
        def train_step(features, labels):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(self.model(features, training=True) - labels))
            gradients = tape.gradient(loss, self.model.trainable_variables)
            self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))
            return loss

        for features, labels in data:
            loss = train_step(features, labels)
        return loss

    def run(self, width, epochs=2):
        self.init_model(width)
        self.init_optimizer()
        for epoch in range(epochs):
            print(width, epoch, round(float(self.train_epoch()), 3))


manager = Manager()
for width in [2, 4]:
    manager.run(width)
