# A metric for each head of a model: the turns go through parts of the model, and not through data.
import tensorflow as tf


class Runner:
    def __init__(self, body, heads, metrics):
        self.body, self.heads, self.metrics = body, heads, metrics

    def measure(self, x, y):
        features = self.body(x, training=False)
        for head, metric in zip(self.heads, self.metrics):
            metric.update_state(y, head(features, training=False))
        return [metric.result().numpy() for metric in self.metrics]
