# A step in the inner loop and a lone model call in the outer one: each is traced by itself.
import numpy as np
import tensorflow as tf

EPOCHS = 25

rng = np.random.RandomState(3)
inputs = rng.randn(40, 3).astype(np.float32)
targets = inputs[:, :1] * inputs[:, 1:2]
unseen = rng.randn(10, 3).astype(np.float32)


def main():
    tf.keras.utils.set_random_seed(5)
    model = tf.keras.Sequential(
        [tf.keras.Input([3]), tf.keras.layers.Dense(8, "tanh"), tf.keras.layers.Dense(1)]
    )
    optimizer = tf.keras.optimizers.SGD(0.1)
    errors = []
    traced_model = tf.function(model, reduce_retracing=True)

    @tf.function
    def train_step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))

    for epoch in range(EPOCHS):
        order = rng.permutation(40)
        for start in range(0, 40, 10):
            x = tf.constant(inputs[order[start : start + 10]])
            y = tf.constant(targets[order[start : start + 10]])
            train_step(x, y)

        # how well it does on what it has not seen
        guessed = traced_model(
            unseen + rng.normal(0.0, 0.1, size=unseen.shape), training=False
        )
        errors.append(float(tf.reduce_mean(tf.abs(guessed - unseen[:, :1] * unseen[:, 1:2]))))
    return errors


errors = main()
print(f"{errors[0]:.3f} {errors[-1]:.3f}")
