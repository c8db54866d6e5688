# Subclasses and mixins that take the argument themselves, and a class that is not known.
import tensorflow as tf


class Scheduled(tf.keras.optimizers.SGD):
    def __init__(self, lr, warmup):
        super().__init__(learning_rate=lr / warmup)


class Mixin:
    def compile(self, *args, unroll=1, **options):
        self.unroll = unroll
        super().compile(*args, **options)


class Net(Mixin, tf.keras.Model):
    def call(self, x, scale=1.0):
        return x * scale


net = Net(name="net")
net.compile("sgd", loss="mse", unroll=4)
y = net(tf.ones([2]), scale=3.0)
optimizer = Scheduled(lr=0.1, warmup=10)


def make(optimizer_class):
    return optimizer_class(lr=0.1, warmup=2)


other = make(Scheduled)
