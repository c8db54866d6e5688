# Style transfer in miniature: optimise the pixels of an image so that the features of a small
# fixed convolutional net match the content of one picture and the texture of another.
import numpy as np
import tensorflow as tf

SIZE = 24
STEPS = 40
CONTENT_WEIGHT = 1.0
STYLE_WEIGHT = 20.0
TV_WEIGHT = 1e-3

rng = np.random.RandomState(8)


def make_content():
    yy, xx = np.mgrid[0:SIZE, 0:SIZE] / SIZE
    disc = ((xx - 0.5) ** 2 + (yy - 0.5) ** 2 < 0.1).astype(np.float32)
    return np.stack([disc, 0.5 * disc, 1 - disc], axis=-1)[None].astype(np.float32)


def make_style():
    yy, xx = np.mgrid[0:SIZE, 0:SIZE]
    stripes = 0.5 + 0.5 * np.sin((xx + yy) * 1.3)
    picture = np.stack([stripes, 1 - stripes, 0.3 * np.ones_like(stripes)], axis=-1)
    return np.clip(picture + 0.05 * rng.randn(SIZE, SIZE, 3), 0, 1)[None].astype(np.float32)


content_image = tf.constant(make_content())
style_image = tf.constant(make_style())

# random filters do well enough, no need to download a pretrained net
filters1 = tf.constant(0.3 * rng.randn(3, 3, 3, 8), dtype=tf.float32)
filters2 = tf.constant(0.15 * rng.randn(3, 3, 8, 12), dtype=tf.float32)


def extract_features(image):
    layer1 = tf.nn.relu(tf.nn.conv2d(image - 0.5, filters1, strides=1, padding='SAME'))
    pooled = tf.nn.avg_pool2d(layer1, 2, 2, 'SAME')
    layer2 = tf.nn.relu(tf.nn.conv2d(pooled, filters2, strides=1, padding='SAME'))
    return layer1, layer2


def gram_matrix(features):
    result = tf.linalg.einsum('bijc,bijd->bcd', features, features)
    shape = tf.shape(features)
    return result / tf.cast(shape[1] * shape[2], tf.float32)


content_target = extract_features(content_image)[1]
style_targets = [gram_matrix(f) for f in extract_features(style_image)]

image = tf.Variable(content_image)
opt = tf.optimizers.Adam(learning_rate=0.03, beta_1=0.99, epsilon=1e-1)


def train_step(image):
    with tf.GradientTape() as tape:
        features = extract_features(image)
        content_loss = tf.reduce_mean((features[1] - content_target) ** 2)
        style_loss = tf.add_n([tf.reduce_mean((gram_matrix(f) - target) ** 2)
                               for f, target in zip(features, style_targets)])
        loss = CONTENT_WEIGHT * content_loss + STYLE_WEIGHT * style_loss
        loss += TV_WEIGHT * tf.reduce_sum(tf.image.total_variation(image))

    grad = tape.gradient(loss, image)
    opt.apply_gradients([(grad, image)])
    image.assign(tf.clip_by_value(image, 0.0, 1.0))
    return loss


@tf.function
def train_steps(image, count):
    losses = tf.TensorArray(tf.float32, count)
    for n in tf.range(count):
        loss = train_step(image)
        losses = losses.write(n, loss)
    return losses.stack()


opt.build([image])
losses = []
for n in range(9, STEPS, 10):
    losses.extend(float(value) for value in train_steps(image, 10).numpy())
    print("step", n + 1, "loss", round(losses[-1], 4))

result = image.numpy()[0]
print("pixels between %.3f and %.3f" % (result.min(), result.max()))
