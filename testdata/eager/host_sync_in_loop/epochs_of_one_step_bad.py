# Epochs that train on all data at once, by a traced step which calls another, are steps; so is a turn that goes through its few losses to log them.
import tensorflow as tf

w = tf.Variable(tf.zeros([4, 1]))
xs = tf.random.stateless_normal([32, 4], seed=[1, 2])
optimizer = tf.keras.optimizers.SGD(0.1)


class Model:
    @tf.function
    def grad(self, x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(x @ w - 1.0))
        return loss, tape.gradient(loss, w)

    @tf.function
    def train(self, x):
        loss, grad = self.grad(x)
        optimizer.apply_gradients([(grad, w)])
        return loss


def train(model, num_epochs):
    history = []
    for i in range(num_epochs):
        loss = model.train(xs)
        history.append((i, loss.numpy()))
    return history


def log(values, highest):
    for name, value in values.items():
        highest[name] = tf.maximum(highest[name], value)


def train_and_log(model, data):
    losses, highest = [], {"loss": 0.0, "half": 0.0}
    for x in data:
        loss = model.train(x)
        log({"loss": loss, "half": loss / 2.0}, highest)
        losses.append(float(loss))
    return losses


history = train(Model(), int("300"))
losses = train_and_log(Model(), tf.data.Dataset.from_tensor_slices(xs).batch(4).repeat(40))
