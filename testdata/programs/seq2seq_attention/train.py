"""Encoder-decoder with Bahdanau attention that learns to reverse short strings of digits."""
import numpy as np
import tensorflow as tf

VOCAB = 12  # ten digits, start and padding
START, PAD = 10, 11
LENGTH = 5
UNITS = 24
EMBED = 12
BATCH_SIZE = 32
EPOCHS = 2

tf.random.set_seed(0)


def make_pairs(n):
    rng = np.random.RandomState(33)
    source = np.full((n, LENGTH), PAD)
    target = np.full((n, LENGTH), PAD)
    for row in range(n):
        digits = rng.randint(10, size=rng.randint(2, LENGTH + 1))
        source[row, :len(digits)] = digits
        target[row, :len(digits)] = digits[::-1]
    return source.astype('int32'), target.astype('int32')


class Encoder(tf.keras.Model):
    def __init__(self):
        super(Encoder, self).__init__()
        self.embedding = tf.keras.layers.Embedding(VOCAB, EMBED)
        self.gru = tf.keras.layers.GRU(UNITS, return_sequences=True, return_state=True)

    def call(self, x, hidden):
        x = self.embedding(x)
        output, state = self.gru(x, initial_state=hidden)
        return output, state


class BahdanauAttention(tf.keras.layers.Layer):
    def __init__(self, units):
        super(BahdanauAttention, self).__init__()
        self.W1 = tf.keras.layers.Dense(units)
        self.W2 = tf.keras.layers.Dense(units)
        self.V = tf.keras.layers.Dense(1, use_bias=False)

    def call(self, query, values):
        score = self.V(tf.nn.tanh(self.W1(query[:, None]) + self.W2(values)))
        attention_weights = tf.nn.softmax(score, axis=1)
        context_vector = tf.reduce_sum(attention_weights * values, axis=1)
        return context_vector, attention_weights


class Decoder(tf.keras.Model):
    def __init__(self):
        super(Decoder, self).__init__()
        self.embedding = tf.keras.layers.Embedding(VOCAB, EMBED)
        self.cell = tf.keras.layers.GRUCell(UNITS)
        self.attention = BahdanauAttention(UNITS)
        self.fc = tf.keras.layers.Dense(VOCAB)

    def call(self, x, hidden, enc_output):
        context_vector, attention_weights = self.attention(hidden, enc_output)
        x = tf.concat([context_vector, self.embedding(x)], axis=-1)
        output, state = self.cell(x, [hidden])
        return self.fc(output), state[0], attention_weights


encoder = Encoder()
decoder = Decoder()
optimizer = tf.keras.optimizers.Adam(0.01, epsilon=1e-4)
loss_object = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction='none')


def loss_function(real, pred):
    mask = tf.cast(tf.not_equal(real, PAD), tf.float32)
    return tf.reduce_sum(loss_object(real, pred) * mask) / tf.cast(tf.size(real), tf.float32)


def train_step(inp, targ, enc_hidden):
    loss = 0
    with tf.GradientTape() as tape:
        enc_output, enc_hidden = encoder(inp, enc_hidden)
        dec_hidden = enc_hidden
        dec_input = tf.fill([BATCH_SIZE], START)
        # Teacher forcing - feeding the target as the next input
        for t in range(LENGTH):
            predictions, dec_hidden, _ = decoder(dec_input, dec_hidden, enc_output)
            loss += loss_function(targ[:, t], predictions)
            dec_input = targ[:, t]
    batch_loss = loss / LENGTH
    variables = encoder.trainable_variables + decoder.trainable_variables
    gradients = tape.gradient(loss, variables)
    optimizer.apply_gradients(zip(gradients, variables))
    return batch_loss


def translate(sentence):
    enc_output, hidden = encoder(sentence[None], tf.zeros((1, UNITS)))
    dec_input = tf.constant([START])
    result = []
    for t in range(LENGTH):
        predictions, hidden, _ = decoder(dec_input, hidden, enc_output)
        predicted_id = tf.argmax(predictions[0]).numpy()
        if predicted_id == PAD:
            break
        result.append(int(predicted_id))
        dec_input = tf.constant([predicted_id])
    return result


source, target = make_pairs(256)
dataset = tf.data.Dataset.from_tensor_slices((source, target))
dataset = dataset.shuffle(256, seed=5).batch(BATCH_SIZE, drop_remainder=True)
steps_per_epoch = len(source) // BATCH_SIZE
epoch_losses = []

for epoch in range(EPOCHS):
    enc_hidden = tf.zeros((BATCH_SIZE, UNITS))
    total_loss = 0

    for (batch, (inp, targ)) in enumerate(dataset):
        batch_loss = train_step(inp, targ, enc_hidden)
        total_loss += batch_loss
        if batch % 4 == 0:
            print('Epoch {} Batch {} Loss {:.4f}'.format(epoch + 1, batch, batch_loss.numpy()))

    epoch_losses.append(float(total_loss / steps_per_epoch))
    print('Epoch {} Loss {:.4f}'.format(epoch + 1, epoch_losses[-1]))

for row in range(2):
    print(source[row].tolist(), '->', translate(source[row]))
