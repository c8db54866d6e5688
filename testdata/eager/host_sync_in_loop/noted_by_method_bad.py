# A method that each turn calls waits for what the step gives, and for its metrics, to show them.
import tensorflow as tf

tf.keras.utils.set_random_seed(6)


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = tf.keras.optimizers.SGD(0.05)
        self.metrics = {"error": tf.keras.metrics.Mean(), "bias": tf.keras.metrics.Mean()}
        self.losses, self.shown = [], []

    @tf.function
    def step(self, x, y):
        with tf.GradientTape() as tape:
            error = self.model(x, training=True) - y
            loss = tf.reduce_mean(tf.square(error))
        variables = self.model.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        self.metrics["error"].update_state(loss)
        self.metrics["bias"].update_state(error)
        return loss

    def keep(self, loss):
        self.losses.append(loss.numpy())

    def show(self):
        found = {}
        for name, metric in self.metrics.items():
            found[name] = f"{metric.result().numpy():.3f}"
        self.shown.append(found)

    def fit(self, batches):
        for x, y in batches:
            self.keep(self.step(x, y))

    def fit_and_show(self, batches):
        for x, y in batches:
            self.step(x, y)
            self.show()


features = tf.random.normal([64, 6])
batches = tf.data.Dataset.from_tensor_slices((features, features[:, :1])).batch(4)
trainer = Trainer(tf.keras.Sequential([tf.keras.Input([6]), tf.keras.layers.Dense(1)]))
trainer.fit(batches)
trainer.fit_and_show(batches)
losses, shown = trainer.losses, trainer.shown
