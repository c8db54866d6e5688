# The best loss is asked for after each epoch, not after each step: that wait is nothing.
import tensorflow as tf


class Fitter:
    def __init__(self):
        self.slope = tf.Variable(0.0)

    @tf.function
    def step(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.abs(self.slope * x - y))
        self.slope.assign_sub(0.02 * tape.gradient(loss, self.slope))
        return loss

    def fit(self, batches, epochs, patience=2):
        best, best_slope, waited = 1e9, 0.0, 0
        for epoch in range(epochs):
            for x, y in batches:
                loss = self.step(x, y)
            if loss < best:
                best, best_slope, waited = float(loss), float(self.slope), 0
            else:
                waited += 1
                if waited >= patience:
                    print("stopped after epoch", epoch)
                    break
        return best, best_slope


x = tf.linspace(0.0, 2.0, 24)
batches = tf.data.Dataset.from_tensor_slices((x, 1.5 * x)).batch(8, drop_remainder=True)
best, slope = Fitter().fit(batches, epochs=30)
