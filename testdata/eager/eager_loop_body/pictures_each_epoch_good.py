# A callback that draws three samples after each epoch: three turns an epoch are few.
import pathlib
import tempfile

import tensorflow as tf

tf.keras.utils.set_random_seed(3)


class Samples(tf.keras.callbacks.Callback):
    def __init__(self, folder, noise):
        super().__init__()
        self.folder = pathlib.Path(folder)
        self.noise = noise

    def on_epoch_end(self, epoch, logs=None):
        for number in range(3):
            image = self.model(self.noise[number : number + 1], training=False)[0]
            image = tf.reshape(tf.nn.sigmoid(image), [4, 4, 1])
            image = tf.image.resize(image, [8, 8]) * 255.0
            encoded = tf.io.encode_png(tf.cast(image, tf.uint8))
            tf.io.write_file(str(self.folder / f"{epoch}_{number}.png"), encoded)


noise = tf.random.stateless_normal([16, 2], [3, 3])
decoder = tf.keras.Sequential([tf.keras.Input([2]), tf.keras.layers.Dense(16)])
decoder.compile("adam", "mse", jit_compile=False)
with tempfile.TemporaryDirectory() as folder:
    samples = Samples(folder, noise)
    decoder.fit(noise, tf.ones([16, 16]), epochs=2, verbose=0, callbacks=[samples])
    drawn = len(list(pathlib.Path(folder).iterdir()))
del folder, samples
