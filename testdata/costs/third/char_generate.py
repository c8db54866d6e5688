"""Text made letter by letter with a GRU whose state is carried by hand."""
import tensorflow as tf

SAMPLES = 3
VOCABULARY = 60
tf.random.set_seed(1)


class CharModel(tf.keras.Model):
    def __init__(self, units=64):
        super().__init__()
        self.embedding = tf.keras.layers.Embedding(VOCABULARY, 32)
        self.gru = tf.keras.layers.GRU(units, return_sequences=True, return_state=True)
        self.dense = tf.keras.layers.Dense(VOCABULARY)

    def call(self, ids, states=None, training=False):
        x = self.embedding(ids)
        x, states = self.gru(x, initial_state=states, training=training)
        return self.dense(x), states


class Generator:
    def __init__(self, model, temperature=0.8):
        self.model = model
        self.temperature = temperature

    def one(self, ids, states):
        logits, states = self.model(ids, states=states)
        logits = logits[:, -1, :] / self.temperature
        drawn = tf.random.categorical(logits, num_samples=1)
        return drawn, states


generator = Generator(CharModel())
texts = []
for sample in range(SAMPLES):
    ids, states = tf.ones([4, 1], tf.int64), tf.zeros([4, 64])
    letters = [ids]
    for _ in range(30):
        ids, states = generator.one(ids, states)
        letters.append(ids)
    texts.append(tf.concat(letters, axis=1).numpy())
print(texts[0].shape)
