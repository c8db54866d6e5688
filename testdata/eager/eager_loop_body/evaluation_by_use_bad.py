# What feeds one model with its members and measures what comes out is a loop over data, whoever hands
# it in; what reads `.numpy()` of the result, known or not, runs eagerly.
import tensorflow as tf


class Runner:
    def __init__(self, model, metric):
        self.model, self.metric = model, metric

    def evaluate(self, batches):
        for x, y in batches:
            logits = self.model(x, training=False)
            loss = tf.nn.sparse_softmax_cross_entropy_with_logits(y, logits)
            self.metric.update_state(tf.reduce_mean(loss))
        return self.metric.result().numpy()


def mean_loss(model, batches):
    total, count = 0.0, 0
    for x, y in batches:
        guess = model(x, training=False)
        total += tf.reduce_mean(tf.keras.losses.mse(y, guess)).numpy()
        count += 1
    return total / count


def continued(model, ids, count):
    for _ in range(count):
        logits = model(ids, training=False)[:, -1, :]
        following = tf.random.categorical(logits, 1)
        ids = tf.concat([ids, following], axis=1)
    return ids.numpy()
