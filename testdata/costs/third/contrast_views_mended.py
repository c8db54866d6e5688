"""Two random views of each picture that shall lie together: a contrastive loss with a projection."""
import tensorflow as tf

BATCHES = 6
TEMPERATURE = 0.2

encoder = tf.keras.Sequential()
encoder.add(tf.keras.Input((24, 24, 3)))
encoder.add(tf.keras.layers.Conv2D(16, 3, strides=2, activation="relu"))
encoder.add(tf.keras.layers.Conv2D(32, 3, strides=2, activation="relu"))
encoder.add(tf.keras.layers.GlobalAveragePooling2D())
head = tf.keras.Sequential([tf.keras.layers.Dense(64, activation="relu"), tf.keras.layers.Dense(32)])
head.build((None, 32))
optimizer = tf.keras.optimizers.SGD(0.05, momentum=0.9)


def view(pictures):
    pictures = tf.image.random_flip_left_right(pictures)
    pictures = tf.image.random_brightness(pictures, 0.2)
    pictures = tf.image.random_contrast(pictures, 0.8, 1.2)
    return tf.image.random_crop(tf.pad(pictures, [[0, 0], [2, 2], [2, 2], [0, 0]]), [32, 24, 24, 3])


def contrastive(first, second):
    first = tf.math.l2_normalize(first, axis=1)
    second = tf.math.l2_normalize(second, axis=1)
    logits = tf.matmul(first, second, transpose_b=True) / TEMPERATURE
    labels = tf.range(tf.shape(first)[0])
    forth = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
    back = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, tf.transpose(logits))
    return tf.reduce_mean(forth + back) / 2


@tf.function
def train_step(pictures):
    with tf.GradientTape() as tape:
        loss = contrastive(head(encoder(view(pictures))), head(encoder(view(pictures))))
    weights = encoder.trainable_weights + head.trainable_weights
    optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
    return loss


pictures = tf.random.uniform([32, 24, 24, 3])
losses = []
for batch in range(BATCHES):
    losses.append(train_step(pictures))
print(losses[-1].numpy())
