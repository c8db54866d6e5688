"""Training loop in mixed precision, with loss scaling written out."""
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers, mixed_precision

mixed_precision.set_global_policy("mixed_float16")
keras.utils.set_random_seed(17)

EPOCHS = 3
BATCH_SIZE = 32


def make_patterns(n=480, dim=16, classes=3):
    rng = np.random.RandomState(44)
    prototypes = rng.randn(classes, dim)
    labels = rng.randint(classes, size=n)
    x = prototypes[labels] * rng.uniform(0.2, 1.0, size=(n, 1)) + 0.7 * rng.randn(n, dim)
    return x.astype("float32"), labels.astype("int64")


x, labels = make_patterns()
x_train, y_train, x_val, y_val = x[:384], labels[:384], x[384:], labels[384:]
train_ds = tf.data.Dataset.from_tensor_slices((x_train, y_train))
train_ds = train_ds.shuffle(384, seed=1).batch(BATCH_SIZE)
val_ds = tf.data.Dataset.from_tensor_slices((x_val, y_val)).batch(BATCH_SIZE)

inputs = keras.Input((16,))
h = layers.Dense(48, activation="relu")(inputs)
h = layers.Dense(48, activation="relu")(h)
h = layers.Dense(3)(h)
outputs = layers.Activation("softmax", dtype="float32")(h)
model = keras.Model(inputs, outputs)

loss_fn = keras.losses.SparseCategoricalCrossentropy()
optimizer = keras.optimizers.SGD(0.1, momentum=0.9)
loss_scale = tf.Variable(1024.0, trainable=False)
good_steps = tf.Variable(0, trainable=False)
train_loss = keras.metrics.Mean("train_loss")
train_acc = keras.metrics.SparseCategoricalAccuracy("train_accuracy")
val_acc = keras.metrics.SparseCategoricalAccuracy("val_accuracy")


def all_finite(tensors):
    return tf.reduce_all([tf.reduce_all(tf.math.is_finite(t)) for t in tensors])


def train_step(x, y):
    with tf.GradientTape() as tape:
        predictions = model(x, training=True)
        loss = loss_fn(y, predictions)
        scaled_loss = loss * loss_scale
    scaled_gradients = tape.gradient(scaled_loss, model.trainable_variables)
    gradients = [g / loss_scale for g in scaled_gradients]
    if all_finite(gradients):
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        good_steps.assign_add(1)
        if good_steps >= 20:
            loss_scale.assign(loss_scale * 2.0)
            good_steps.assign(0)
    else:
        loss_scale.assign(tf.maximum(loss_scale / 2.0, 1.0))
        good_steps.assign(0)
    train_loss(loss)
    train_acc(y, predictions)
    return loss


def validate(dataset):
    for x, y in dataset:
        val_acc(y, model(x, training=False))
    accuracy = float(val_acc.result())
    val_acc.reset_state()
    return accuracy


results = []
for epoch in range(EPOCHS):
    for step, (x, y) in enumerate(train_ds):
        loss = train_step(x, y)
        if step % 6 == 0:
            print(f"  epoch {epoch} step {step}: loss = {loss:.3f}")
    accuracy = validate(val_ds)
    results.append((float(train_loss.result()), float(train_acc.result()), accuracy))
    print(f"epoch {epoch}: train {results[-1][0]:.3f}, val accuracy {accuracy:.3f}, "
          f"scale {loss_scale.numpy():.0f}")
    train_loss.reset_state()
    train_acc.reset_state()
