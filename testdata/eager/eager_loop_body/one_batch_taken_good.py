# `take(1)` gives one batch: what looks like the loop of an epoch is a look at some pictures.
import tempfile
from pathlib import Path

import tensorflow as tf

tf.keras.utils.set_random_seed(5)
images = tf.random.stateless_uniform([24, 8, 8, 3], [3, 4])
labels = tf.range(24) % 4
dataset = tf.data.Dataset.from_tensor_slices((images, labels)).batch(8)
model = tf.keras.Sequential(
    [tf.keras.Input([8, 8, 3]), tf.keras.layers.Flatten(), tf.keras.layers.Dense(4)]
)
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

with tempfile.TemporaryDirectory() as folder:
    for x, y in dataset.take(1):
        with tf.GradientTape() as tape:
            tape.watch(x)
            loss = loss_fn(y, model(x))
        saliency = tf.reduce_max(tf.abs(tape.gradient(loss, x)), axis=-1, keepdims=True)
        saliency /= tf.reduce_max(saliency)
        grid = tf.concat(tf.unstack(tf.image.convert_image_dtype(saliency, tf.uint8)), axis=1)
        tf.io.write_file(str(Path(folder) / "saliency.png"), tf.io.encode_png(grid))
    written = [path.name for path in Path(folder).iterdir()]
del folder
print(written)
