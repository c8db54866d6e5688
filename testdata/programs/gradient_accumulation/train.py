"""Character model trained with gradient accumulation: 4 micro-batches make one update."""
import numpy as np
import tensorflow as tf

MICRO_BATCH = 16
ACCUMULATE = 4
CONTEXT = 6
EPOCHS = 3
CLIP = 1.0

TEXT = (
    "the rain it raineth on the just and also on the unjust fella but chiefly on the just because "
    "the unjust hath the just's umbrella and so it goes on every day in every weather come what may "
) * 3

chars = sorted(set(TEXT))
char_to_id = {c: i for i, c in enumerate(chars)}
encoded = np.array([char_to_id[c] for c in TEXT], dtype=np.int32)


def windows(encoded):
    n = len(encoded) - CONTEXT
    x = np.stack([encoded[i:i + CONTEXT] for i in range(n)])
    y = encoded[CONTEXT:]
    return x, y


x, y = windows(encoded)
dataset = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(len(x), seed=10)
dataset = dataset.batch(MICRO_BATCH, drop_remainder=True)

model = tf.keras.Sequential()
model.add(tf.keras.layers.Input((CONTEXT,)))
model.add(tf.keras.layers.Embedding(len(chars), 8))
model.add(tf.keras.layers.Flatten())
model.add(tf.keras.layers.Dense(48, activation="relu"))
model.add(tf.keras.layers.Dense(len(chars)))

optimizer = tf.keras.optimizers.Adam(learning_rate=0.01)
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
accumulated = [tf.Variable(tf.zeros_like(v), trainable=False) for v in model.trainable_variables]


def accumulate(inputs, targets):
    with tf.GradientTape() as tape:
        logits = model(inputs, training=True)
        loss = loss_fn(targets, logits) / ACCUMULATE
    grads = tape.gradient(loss, model.trainable_variables)
    for total, grad in zip(accumulated, grads):
        total.assign_add(tf.convert_to_tensor(grad))
    return loss * ACCUMULATE


def apply_and_reset():
    grads, norm = tf.clip_by_global_norm([a.value() for a in accumulated], CLIP)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    for total in accumulated:
        total.assign(tf.zeros_like(total))
    return norm


history = []
norms = []
for epoch in range(EPOCHS):
    epoch_loss = tf.keras.metrics.Mean()
    for i, (inputs, targets) in enumerate(dataset):
        loss = accumulate(inputs, targets)
        epoch_loss.update_state(loss)
        if (i + 1) % ACCUMULATE == 0:
            norms.append(float(apply_and_reset()))
    history.append(epoch_loss.result().numpy())
    print("epoch %d  loss %.4f  perplexity %.2f" % (epoch, history[-1], np.exp(history[-1])))


def complete(prompt, n=12):
    ids = [char_to_id[c] for c in prompt]
    for _ in range(n):
        logits = model(np.array([ids[-CONTEXT:]], dtype=np.int32))
        ids.append(int(tf.argmax(logits[0])))
    return "".join(chars[i] for i in ids)


print(complete("the rain "))
