"""Skip-gram word vectors with negative sampling, on a toy language."""
import random
from collections import Counter

import numpy as np
import tensorflow as tf

random.seed(9)

EMBEDDING = 16
WINDOW = 2
NEGATIVES = 4
EPOCHS = 3
BATCH = 64

TOPICS = {
    "sea": "ship sail wave salt harbour anchor fish tide".split(),
    "kitchen": "pan salt knife bread oven fish butter table".split(),
    "music": "song drum string bow tune choir horn beat".split(),
}


def make_corpus(sentences):
    corpus = []
    for _ in range(sentences):
        topic = random.choice(sorted(TOPICS))
        corpus.append([random.choice(TOPICS[topic]) for _ in range(7)])
    return corpus


corpus = make_corpus(60)
counts = Counter(word for sentence in corpus for word in sentence)
vocabulary = [word for word, _ in counts.most_common()]
index = {word: i for i, word in enumerate(vocabulary)}

noise = np.array([counts[word] for word in vocabulary], dtype=np.float64) ** 0.75
noise /= noise.sum()


def skip_grams(sentences):
    pairs = []
    for sentence in sentences:
        for i, center in enumerate(sentence):
            for j in range(max(0, i - WINDOW), min(len(sentence), i + WINDOW + 1)):
                if j != i:
                    pairs.append((index[center], index[sentence[j]]))
    random.shuffle(pairs)
    return pairs


def batches(pairs, rng):
    for start in range(0, len(pairs) - BATCH + 1, BATCH):
        chunk = np.array(pairs[start:start + BATCH])
        negatives = rng.choice(len(vocabulary), size=(BATCH, NEGATIVES), p=noise)
        yield chunk[:, 0], chunk[:, 1], negatives


class SkipGram(tf.keras.Model):
    def __init__(self, vocabulary_size, dim):
        super().__init__()
        self.target = tf.keras.layers.Embedding(vocabulary_size, dim)
        self.context = tf.keras.layers.Embedding(vocabulary_size, dim)

    def call(self, inputs):
        centers, contexts = inputs
        return tf.einsum("be,bce->bc", self.target(centers), self.context(contexts))


rng = np.random.default_rng(2)
model = SkipGram(len(vocabulary), EMBEDDING)
optimizer = tf.keras.optimizers.Adagrad(learning_rate=0.5)
pairs = skip_grams(corpus)
labels = tf.concat([tf.ones([BATCH, 1]), tf.zeros([BATCH, NEGATIVES])], axis=1)



@tf.function(
    input_signature=[
        tf.TensorSpec([BATCH], tf.int64),
        tf.TensorSpec([BATCH], tf.int64),
        tf.TensorSpec([BATCH, NEGATIVES], tf.int64),
    ]
)
def train_step(centers, positives, negatives):
    contexts = tf.concat([positives[:, None], negatives], axis=1)
    with tf.GradientTape() as tape:
        logits = model((centers, contexts))
        losses = tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)
        loss = tf.reduce_mean(tf.reduce_sum(losses, axis=1))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


average_loss = 0.0
step = 0
log = []
for epoch in range(EPOCHS):
    for centers, positives, negatives in batches(pairs, rng):
        loss = train_step(centers, positives, negatives)

        average_loss += loss
        step += 1
        if step % 10 == 0:
            average_loss /= 10
            print("Average loss at step ", step, ": %.3f" % average_loss)
            log.append(float(average_loss))
            average_loss = 0.0

vectors = model.target.get_weights()[0]
vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
for word in ("ship", "oven", "drum"):
    similarity = vectors @ vectors[index[word]]
    nearest = [vocabulary[i] for i in np.argsort(-similarity)[1:4]]
    print(f"{word}: {', '.join(nearest)}")
