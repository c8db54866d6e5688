# A tape records nothing of a member that is taken out of a batch: that goes before it, and the rest of the
# block is traced, on each run of the method that defines the step. An AUC takes arrays as it takes tensors.
import tensorflow as tf

tf.keras.utils.set_random_seed(6)
x = tf.random.uniform([64, 3])


class Manager:
    def __init__(self):
        self.init_model()
        self.loss = tf.keras.losses.BinaryCrossentropy()
        self.optimizer = tf.keras.optimizers.SGD(0.1)
        self.auc = tf.keras.metrics.AUC()

    def init_model(self):
        self.model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(1, activation="sigmoid")])

    def train_epoch(self, batches):
        @tf.function
        def _train_step(inputs, target):
            with tf.GradientTape() as tape:
                scores = self.model(inputs["features"], training=True)
                loss = self.loss(target, scores)
            gradients = tape.gradient(loss, self.model.trainable_variables)
            self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))
            self.auc.update_state(target, scores)

        def train_step(inputs):
            target = inputs.pop("label")
            _train_step(inputs, target)

        step = 0
        turn = iter(batches)
        self.auc.reset_state()
        while True:
            batch = next(turn, None)
            if not batch:
                break
            train_step(batch)
            step += 1
        print(step, round(float(self.auc.result()), 3))


def batches():
    for start in range(0, 64, 2):
        rows = x[start : start + 2]
        yield {"features": rows, "label": tf.cast(rows[:, :1] > 0.5, tf.float32)}


manager = Manager()
for epoch in range(2):
    manager.train_epoch(batches())
