# Counted pairs, a plain copy and a list of one model's own weights are loops over variables as well; comments go along.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(2)
rng = np.random.RandomState(2)


def network():
    return tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(3, "relu"), tf.keras.layers.Dense(2)])


def follow(model, target, rate):
    # a bit of the new ones
    # and most of the old
    for weight, target_weight in zip(model.weights, target.weights):
        target_weight.assign(target_weight - rate * (target_weight - weight))


def both(model, target, other):
    for weight_2, target_weight in zip(model.weights, target.weights):
        target_weight.assign(weight_2)
    for weight_2, target_weight in zip(model.weights, other.weights):
        target_weight.assign((weight_2 + target_weight) / 2)


online, first, second, third = network(), network(), network(), network()
online.compile("sgd", "mse")
for step in range(30):
    xs = rng.rand(8, 4).astype(np.float32)
    online.train_on_batch(xs, xs[:, :2])
    follow(online, first, 0.1)
    both(online, second, third)
    weight = step
print(weight, [w.round(2).tolist() for model in (first, second, third) for w in model.get_weights()])
