# A loop over the variables of a model, once after each epoch: parts of a model are no steps.
import tensorflow as tf

tf.keras.utils.set_random_seed(7)
x = tf.random.stateless_normal([32, 3], [7, 7])
y = tf.reduce_sum(x, axis=1, keepdims=True)


class Averaging(tf.keras.callbacks.Callback):
    def __init__(self, decay):
        super().__init__()
        self.decay = decay
        self.averages = None

    def on_epoch_end(self, epoch, logs=None):
        if self.averages is None:
            self.averages = [tf.Variable(v) for v in self.model.trainable_variables]
        for average, variable in zip(self.averages, self.model.trainable_variables):
            change = (1.0 - self.decay) * (average - variable)
            average.assign_sub(change)
            print(epoch, float(tf.norm(change)) / (1e-6 + float(tf.norm(average))))


averaging = Averaging(0.9)
model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(1)])
model.compile(tf.keras.optimizers.SGD(0.1), "mse", jit_compile=False)
model.fit(x, y, epochs=3, batch_size=8, verbose=0, callbacks=[averaging])
