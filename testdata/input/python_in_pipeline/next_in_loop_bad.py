# Training takes each batch with `next`, in a method, of what `apply` put into batches by length.
import tensorflow as tf

tf.keras.utils.set_random_seed(5)


class Words:
    def __init__(self, count):
        self.rows = [[float(n % 7)] * (1 + n % 5) for n in range(count)]
        words = tf.data.Dataset.from_generator(
            self.all_rows, output_types=tf.float32, output_shapes=[None]
        )
        by_length = tf.data.experimental.bucket_by_sequence_length(
            lambda row: tf.shape(row)[0], [3], [4, 4], padded_shapes=[None]
        )
        self.batches = words.apply(by_length).repeat()
        self.iterator = iter(self.batches)

    def all_rows(self):
        for row in self.rows:
            yield row

    def next_batch(self):
        return next(self.iterator)


weight = tf.Variable(0.5)
optimizer = tf.keras.optimizers.SGD(0.01)


@tf.function(reduce_retracing=True)
def train_step(batch):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(batch * weight - 1.0))
    optimizer.apply_gradients([(tape.gradient(loss, weight), weight)])
    return loss


words = Words(24)
losses = []
for step in range(20):
    losses.append(train_step(words.next_batch()))
