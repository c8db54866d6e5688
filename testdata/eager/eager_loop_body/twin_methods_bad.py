# Steps of methods in one class and its subclass may not override one another: other names.
import tensorflow as tf

tf.keras.utils.set_random_seed(4)
optimizer = tf.keras.optimizers.SGD(0.05)


class Plain:
    def __init__(self, units):
        self.model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(units)])

    def fit(self, data):
        for x in data:
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(self.model(x) - 1.0))
            gradients = tape.gradient(loss, self.model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))
        return loss

    def polish(self, data):
        for x in data:
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.abs(self.model(x) + 1.0))
            gradients = tape.gradient(loss, self.model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))
        return loss


class Bounded(Plain):
    def clip(self, data):
        for x in data:
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.nn.relu(self.model(x) - 0.5))
            gradients = tape.gradient(loss, self.model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))
        return loss


class Unrelated:
    def __init__(self):
        self.model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(2)])

    def learn(self, data):
        for x in data:
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(self.model(x)))
            gradients = tape.gradient(loss, self.model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))
        return loss


data = tf.data.Dataset.from_tensor_slices(tf.random.stateless_normal([16, 3], [0, 1])).batch(4)
bounded, unrelated = Bounded(1), Unrelated()
optimizer.build(bounded.model.trainable_variables + unrelated.model.trainable_variables)
losses = []
for epoch in range(3):
    losses.append(float(bounded.fit(data)))
    losses.append(float(bounded.polish(data)))
    losses.append(float(bounded.clip(data)))
    losses.append(float(unrelated.learn(data)))
