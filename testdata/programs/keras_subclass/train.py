"""Subclassed model with its own fit-like loop.

Multi-task: the same trunk tells the class of a blob and its distance from the origin.
"""
import numpy as np
import tensorflow as tf
from tensorflow.keras import Model
from tensorflow.keras.layers import BatchNormalization, Dense, Dropout, Layer

EPOCHS = 4


class ResidualBlock(Layer):
    def __init__(self, units, rate, **kwargs):
        super().__init__(**kwargs)
        self.dense = Dense(units, activation='relu')
        self.norm = BatchNormalization()
        self.drop = Dropout(rate, seed=4)

    def call(self, x, training=False):
        h = self.dense(x)
        h = self.norm(h, training=training)
        h = self.drop(h, training=training)
        return x + h


class TwoHeads(Model):
    def __init__(self, units=32, classes=4):
        super().__init__()
        self.inlet = Dense(units)
        self.blocks = [ResidualBlock(units, 0.1) for _ in range(2)]
        self.classifier = Dense(classes)
        self.regressor = Dense(1)

    def call(self, x, training=False):
        h = self.inlet(x)
        for block in self.blocks:
            h = block(h, training=training)
        return self.classifier(h), self.regressor(h)

    def compute_losses(self, labels, distance, training):
        logits, estimate = self(self.batch, training=training)
        ce = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
        mse = tf.reduce_mean(tf.square(estimate[:, 0] - distance))
        return tf.reduce_mean(ce), mse, logits

    def own_fit(self, x, labels, distance, epochs, batch_size=40, learning_rate=0.02):
        optimizer = tf.keras.optimizers.SGD(learning_rate, momentum=0.9, nesterov=True)
        accuracy = tf.keras.metrics.SparseCategoricalAccuracy()
        mean_error = tf.keras.metrics.Mean()
        history = {'accuracy': [], 'error': [], 'loss': []}
        rng = np.random.RandomState(6)

        for epoch in range(epochs):
            order = rng.permutation(len(x))
            accuracy.reset_state()
            mean_error.reset_state()
            total = 0.0
            batches = 0
            for start in range(0, len(x), batch_size):
                chosen = order[start:start + batch_size]
                self.batch = tf.constant(x[chosen])
                y = tf.constant(labels[chosen])
                d = tf.constant(distance[chosen])

                with tf.GradientTape() as tape:
                    ce, mse, logits = self.compute_losses(y, d, True)
                    loss = ce + 0.5 * mse
                grads = tape.gradient(loss, self.trainable_weights)
                grads = [tf.clip_by_norm(g, 2.0) for g in grads]
                optimizer.apply_gradients(zip(grads, self.trainable_weights))

                accuracy.update_state(y, logits)
                mean_error.update_state(mse)
                total += float(loss)
                batches += 1

            history['loss'].append(total / batches)
            history['accuracy'].append(accuracy.result().numpy())
            history['error'].append(mean_error.result().numpy())
            print('Epoch %d/%d - loss: %.4f - accuracy: %.3f - error: %.4f' % (
                epoch + 1, epochs, history['loss'][-1], history['accuracy'][-1],
                history['error'][-1]))
        return history


def blobs(n, classes=4):
    rng = np.random.RandomState(12)
    labels = rng.randint(classes, size=n)
    centers = 2 * rng.randn(classes, 6)
    x = centers[labels] + rng.randn(n, 6)
    distance = np.sqrt((x ** 2).sum(axis=1)) / 4
    return x.astype('float32'), labels.astype('int32'), distance.astype('float32')


x, labels, distance = blobs(440)
model = TwoHeads()
history = model.own_fit(x[:400], labels[:400], distance[:400], EPOCHS)

logits, estimate = model(x[400:])
test_accuracy = np.mean(np.argmax(logits.numpy(), axis=1) == labels[400:])
test_error = float(tf.reduce_mean(tf.abs(estimate[:, 0] - distance[400:])))
print('test: accuracy %.3f, error %.4f' % (test_accuracy, test_error))
