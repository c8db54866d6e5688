"""A picture that takes on the style of another one: Gram matrices of a small fixed network."""
import tensorflow as tf

ITERATIONS = 20
tf.random.set_seed(0)


def extractor():
    picture = tf.keras.Input((32, 32, 3))
    first = tf.keras.layers.Conv2D(8, 3, padding="same", activation="relu")(picture)
    second = tf.keras.layers.Conv2D(16, 3, strides=2, padding="same", activation="relu")(first)
    third = tf.keras.layers.Conv2D(16, 3, strides=2, padding="same", activation="relu")(second)
    model = tf.keras.Model(picture, [first, second, third])
    model.trainable = False
    return model


def gram(features):
    products = tf.linalg.einsum("bijc,bijd->bcd", features, features)
    places = tf.cast(tf.shape(features)[1] * tf.shape(features)[2], tf.float32)
    return products / places


features = extractor()
content = tf.random.uniform([1, 32, 32, 3])
style = tf.random.uniform([1, 32, 32, 3])
wanted = [gram(f) for f in features(style)]
kept = features(content)[-1]
image = tf.Variable(content)
opt = tf.keras.optimizers.Adam(0.02, beta_1=0.99)


@tf.function
def style_step():
    with tf.GradientTape() as tape:
        outputs = features(image)
        loss = 1e-2 * tf.reduce_mean((outputs[-1] - kept) ** 2)
        for output, target in zip(outputs, wanted):
            loss += tf.add_n([tf.reduce_mean((gram(output) - target) ** 2)])
    gradient = tape.gradient(loss, image)
    opt.apply_gradients([(gradient, image)])
    image.assign(tf.clip_by_value(image, 0.0, 1.0))
    return loss


for iteration in range(ITERATIONS):
    loss = style_step()
print(float(loss))
