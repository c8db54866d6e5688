"""One block of a transformer over short sentences, trained to say the sentence again."""
import tensorflow as tf

tf.random.set_seed(1)
STEPS = 8
WORDS, LENGTH, WIDTH = 50, 12, 32


class Block(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.embed = tf.keras.layers.Embedding(WORDS, WIDTH)
        self.attention = tf.keras.layers.MultiHeadAttention(num_heads=4, key_dim=8)
        self.norms = [tf.keras.layers.LayerNormalization() for _ in range(2)]
        self.inner = tf.keras.layers.Dense(64, activation="relu")
        self.outer = tf.keras.layers.Dense(WIDTH)
        self.drop = tf.keras.layers.Dropout(0.1)
        self.words = tf.keras.layers.Dense(WORDS)

    def call(self, tokens, training=False):
        x = self.embed(tokens)
        x = self.norms[0](x + self.attention(x, x))
        y = self.outer(self.inner(x))
        x = self.norms[1](x + self.drop(y, training=training))
        return self.words(x)


model = Block()
optimizer = tf.keras.optimizers.Adam(1e-3)
cross_entropy = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
sentences = tf.random.uniform([16, LENGTH], maxval=WORDS, dtype=tf.int32)


def train(tokens):
    with tf.GradientTape() as tape:
        loss = cross_entropy(tokens, model(tokens, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    gradients, _ = tf.clip_by_global_norm(gradients, 1.0)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


for step in range(STEPS):
    loss = train(sentences)
