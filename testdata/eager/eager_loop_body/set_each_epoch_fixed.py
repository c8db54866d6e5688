# What the loop over epochs sets is another value on each turn: a step made before that loop would keep
# the first one, and one made on each of its turns is traced for a few steps.
import tensorflow as tf

tf.keras.utils.set_random_seed(6)
x = tf.random.normal([64, 3])
data = tf.data.Dataset.from_tensor_slices((x, tf.reduce_sum(x, 1, keepdims=True))).batch(8)


class Settings:
    power = "square"


class Trainer:
    def soften(self, settings):
        settings.power = "abs"

    def train(self, settings):
        model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(1)])
        optimizer = tf.keras.optimizers.SGD(0.02)
        traced_model = tf.function(model, reduce_retracing=True)
        for epoch in range(4):
            for features, labels in data:
                with tf.GradientTape() as tape:
                    far = traced_model(features, training=True) - labels
                    loss = tf.reduce_mean(tf.square(far) if settings.power == "square" else tf.abs(far))
                gradients = tape.gradient(loss, model.trainable_variables)
                optimizer.apply_gradients(zip(gradients, model.trainable_variables))
            self.soften(settings)
            print(epoch, round(float(loss), 3))


Trainer().train(Settings())
